/** What somebody copied out of a sheet: a name or a number a line, a tab, a comma, as sheets and letters part them. */
export const namesIn = (text: string) => [
  ...new Set(
    text
      .split(/[\s,，、;；]+/)
      .map((each) => each.replace(/^['"“”]+|['"“”]+$/g, '').trim())
      .filter(Boolean),
  ),
]
