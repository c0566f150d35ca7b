import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginOperators } from './session'

const START_MS = 420_000
/** What the data may need at most, in bytes. */
const ROOM = 2 ** 31
const MEMORY = '/dev/shm'

/** In memory where there is room: nobody wants these data after a power cut. */
const folder = () => {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize < ROOM ? tmpdir() : MEMORY
}

/**
 * The built server over a database of its own, with the two demonstration schools. `CHENGJIAO_URL` names a running one
 * instead.
 */
export default async function globalSetup() {
  if (process.env.CHENGJIAO_URL) return beginOperators(process.env.CHENGJIAO_URL)
  const data = mkdtempSync(join(folder(), 'chengjiao-e2e-'))
  // The database's own user must reach it, or it is put where nobody clears it away.
  chmodSync(data, 0o755)
  const root = join(import.meta.dirname, '../..')
  const server = spawn(process.env.SERVED_BY ?? join(root, 'target/debug/chengjiao'), ['serve', '--demo'], {
    cwd: root,
    env: {
      ...process.env,
      CHENGJIAO_DATA: data,
      CHENGJIAO_SERVER_LISTEN: '127.0.0.1:0',
      CHENGJIAO_SERVER_OPS_LISTEN: '127.0.0.1:0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.env.CHENGJIAO_URL = await addressOf(server)
  await beginOperators(process.env.CHENGJIAO_URL)
  return () =>
    new Promise<void>((done) => {
      server.once('exit', () => {
        rmSync(data, { recursive: true, force: true })
        done()
      })
      server.kill('SIGTERM')
    })
}

const addressOf = (server: ChildProcess) =>
  new Promise<string>((found, failed) => {
    const timer = setTimeout(
      () => failed(new Error(`the server is not ready after ${START_MS / 1000} seconds`)),
      START_MS,
    )
    let said = ''
    server.stdout?.on('data', (text) => {
      said += text
      const address = /成教云 (http:\S+)/.exec(said)?.[1]
      if (!address) return
      clearTimeout(timer)
      found(address)
    })
    server.once('exit', (code) => failed(new Error(`the server ended with ${code}`)))
  })
