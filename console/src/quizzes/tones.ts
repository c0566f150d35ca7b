/** How the states of an attempt look. */
export const recordTones = { doing: 'busy', marking: 'warning', finished: 'good' } as const
