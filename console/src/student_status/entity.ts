/** By what the server registered the values that show on click. */
export const ENTITY = 'student'
