/** Whether this is a phone in full: customers are searched by nothing less. */
export const isPhone = (text: string) => /^1\d{10}$/.test(text)
