/** How the states of an audit look. */
export const auditTones = { draft: 'quiet', pending: 'busy', approved: 'good', rejected: 'bad' } as const
