// Works in a school through a proxy until a file appears and enough calls were made; says how many failed, and how.
// node scripts/exchange_traffic.mjs ADDRESS TOKEN SCHOOL CALLS FILE
import { existsSync } from 'node:fs'

const [address, token, school, least, over] = process.argv.slice(2)
const AT_ONCE = 12
// It stops by itself in any case.
const MOST = 100_000
const LONGEST_MS = 600_000

const headers = { token, schoolId: school, 'Content-Type': 'application/json' }
const post = (path, body) => fetch(`${address}/admin/apis${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

let calls = 0
let saved = 0
let pages = 0
const failures = new Map()
const times = []

const level = (number) => ({
  code: `EXCHANGE${number}`,
  name: `交换${number}`,
  entryLevel: 'associate_to_bachelor',
  sortNo: 0,
})

/** The page, and then what it loads: by then the proxy may have the other version before it. */
const page = async () => {
  const answer = await fetch(`${address}/`)
  if (answer.status !== 200) return answer
  const scripts = [...(await answer.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  if (scripts.length === 0) throw new Error('the page has no script')
  for (const path of scripts) {
    const script = await fetch(`${address}${path}`)
    if (script.status !== 200) return script
    if (script.headers.get('content-type')?.startsWith('text/html')) throw new Error('a page came as a script')
    await script.arrayBuffer()
  }
  pages++
  return new Response()
}

const kinds = [
  () => post('/adult/pc/class/list', { pageCurrent: 1, pageSize: 20 }),
  () => post('/adult/pc/arrangement/list', { pageCurrent: 1, pageSize: 20 }),
  page,
  () => post('/adult/pc/class/list', { pageCurrent: 1, pageSize: 20 }),
  (number) => post('/adult/pc/arrangement/save', level(number)),
]

const call = async (number) => {
  const kind = number % kinds.length
  const began = performance.now()
  let failure = null
  try {
    const answer = await kinds[kind](number)
    const text = await answer.text()
    if (answer.status !== 200) failure = `HTTP ${answer.status}`
    else if (kind !== 2) {
      const { code, msg } = JSON.parse(text)
      if (code !== 200) failure = `${code} ${msg}`
      else if (kind === 4) saved++
    }
  } catch (error) {
    failure = String(error.cause?.code ?? error)
  }
  times.push(performance.now() - began)
  if (failure) failures.set(failure, (failures.get(failure) ?? 0) + 1)
}

const began = performance.now()
const enough = () =>
  calls >= MOST || performance.now() - began > LONGEST_MS || (calls >= Number(least) && existsSync(over))
const work = async () => {
  while (!enough()) await call(calls++)
}
await Promise.all(Array.from({ length: AT_ONCE }, work))

times.sort((one, other) => one - other)
const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))])
const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
const seconds = Math.round((performance.now() - began) / 1000)
console.log(
  JSON.stringify({ calls, failed, failures: Object.fromEntries(failures), saved, pages, seconds, ms: { half: at(0.5), of99: at(0.99), longest: at(1) } }),
)
