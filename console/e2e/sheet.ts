import { readFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

const SHEET = 'xl/worksheets/sheet1.xml'
const A = 'A'.charCodeAt(0)
const LETTERS = 26

const letters = (column: number): string =>
  column < LETTERS
    ? String.fromCharCode(A + column)
    : letters(Math.floor(column / LETTERS) - 1) + letters(column % LETTERS)

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The headings of a template's first sheet, without the star of required ones. */
const headingsOf = (files: Record<string, Uint8Array>) => {
  const shared = [...textOf(files, 'xl/sharedStrings.xml').matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text)
  const first = /<row r="1".*?<\/row>/s.exec(textOf(files, SHEET))?.[0] ?? ''
  return [...first.matchAll(/<v>(\d+)<\/v>/g)].map(([, at]) => shared[Number(at)]?.replace('*', '') ?? '')
}

const textOf = (files: Record<string, Uint8Array>, name: string) => {
  const file = files[name]
  if (!file) throw new Error(`the workbook has no ${name}`)
  return strFromU8(file)
}

/** The texts of an exported workbook's first sheet, row by row. */
export const textsIn = (workbook: string) =>
  [...textOf(unzipSync(readFileSync(workbook)), SHEET).matchAll(/<row .*?<\/row>/gs)].map(([row]) =>
    [...row.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text),
  )

/** Fills in a template that the console gave: a workbook as a person would upload it. */
export const filledIn = (template: string, rows: readonly Record<string, string>[]) => {
  const files = unzipSync(readFileSync(template))
  const headings = headingsOf(files)
  const lines = rows.map((row, at) => {
    const cells = Object.entries(row).map(([heading, text]) => {
      const column = headings.indexOf(heading)
      if (column < 0) throw new Error(`the template has no ${heading}, only ${headings.join('、')}`)
      return { column, text }
    })
    const number = at + 2
    const xml = cells
      .sort((a, b) => a.column - b.column)
      .map(
        ({ column, text }) => `<c r="${letters(column)}${number}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
      )
    return `<row r="${number}">${xml.join('')}</row>`
  })
  const sheet = textOf(files, SHEET).replace('</sheetData>', `${lines.join('')}</sheetData>`)
  return {
    name: '名单.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(zipSync({ ...files, [SHEET]: strToU8(sheet) })),
  }
}

const part = (name: string, kind: string) =>
  `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`
const relations = (of: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${of}</Relationships>`
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

/** A workbook that others made: one sheet of texts, row by row. */
export const workbookOf = (name: string, rows: readonly (readonly string[])[]) => {
  const lines = rows.map((cells, at) => {
    const number = at + 1
    const xml = cells.map(
      (text, column) => `<c r="${letters(column)}${number}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
    )
    return `<row r="${number}">${xml.join('')}</row>`
  })
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('xl/workbook.xml', 'sheet.main')}${part(SHEET, 'worksheet')}</Types>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(relation('rId1', 'worksheet', 'worksheets/sheet1.xml')),
    [SHEET]: `<worksheet ${MAIN}><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
  const bytes = Object.entries(files).map(
    ([file, xml]) => [file, strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${xml}`)] as const,
  )
  return {
    name,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(zipSync(Object.fromEntries(bytes))),
  }
}
