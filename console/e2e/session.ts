import { constants, createHash, publicEncrypt, randomInt } from 'node:crypto'
import { type APIRequestContext, request, test } from '@playwright/test'

/** Sessions and operators made by the server's own calls, where signing in is not what a story is about. */

export const PASSWORD = 'Chengjiao@2026'

/** Names of operators; schools put their code before an underscore. */
export const isOperator = (account: string) => /^admin(\.\w+)?$/.test(account)

const USER = '/system/pc/sys/user'
const ENTRY = '/system/pc/api/sys/user'
const TAKEN = '账号已存在'
/** The operators' token of the run, put there by the global set-up. */
const MAKER = 'CHENGJIAO_E2E_TOKEN'

type Method = 'get' | 'post' | 'put'

const ask = async (server: APIRequestContext, method: Method, path: string, data?: unknown, token = '') => {
  const response = await server[method](`admin/apis${path}`, { headers: { token }, data })
  return response.json()
}

/** The data of a call that must succeed. */
const told = async (...call: Parameters<typeof ask>) => {
  const answer = await ask(...call)
  if (answer.code !== 200) throw new Error(`${call[2]}: ${JSON.stringify(answer)}`)
  return answer.data
}

const sealed = async (server: APIRequestContext, password: string) => {
  const { publicKey } = await told(server, 'post', '/system/pc/sys/config/get')
  const key = { key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' } as const
  const how = { ...key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  return publicEncrypt(how, Buffer.from(password)).toString('base64')
}

/** What is sent to sign in at a stage. */
const signed = async (server: APIRequestContext, stage: string, loginName: string, password: string) => {
  const timestamp = Date.now()
  const signatureNonce = randomInt(10_000)
  const sign = createHash('sha256').update(`login${loginName}${timestamp}${signatureNonce}`).digest('hex')
  const challenge = { loginName, sign, signatureNonce, timestamp, stage }
  const signature = await told(server, 'post', `${ENTRY}/authenticate`, challenge)
  return { loginName, loginPassword: await sealed(server, password), signature }
}

const enter = async (server: APIRequestContext, loginName: string, password: string): Promise<string> => {
  const stage = isOperator(loginName) ? 'login' : 'school_login'
  const body = await signed(server, stage, loginName, password)
  const data = await told(server, 'post', `${ENTRY}/${stage === 'login' ? 'login' : 'schoolLogin'}`, body)
  return stage === 'login' ? data.token : data
}

/** Tokens of this worker by account. */
const tokens = new Map<string, string>()

/** A token of an account: the one that this worker has, or that of a new session when it no longer holds. */
export const tokenOf = async (server: APIRequestContext, account: string) => {
  const known = tokens.get(account)
  if (known && (await ask(server, 'get', `${ENTRY}/getSchoolAccountInfo`, undefined, known)).code === 200) return known
  const token = await enter(server, account, PASSWORD)
  tokens.set(account, token)
  return token
}

/** The token of an operator who helps at a school whose name begins so: the one that this worker has, or that of a new entry. */
export const entryOf = async (server: APIRequestContext, operator: string, school: string) => {
  const place = `${operator} ${school}`
  const known = tokens.get(place)
  if (known && (await ask(server, 'get', `${ENTRY}/getSchoolAccountInfo`, undefined, known)).code === 200) return known
  const own = await tokenOf(server, operator)
  const { list }: { list: { id: number; name: string }[] } = await told(
    server,
    'post',
    '/system/pc/sys/school/list',
    {},
    own,
  )
  const id = list.find(({ name }) => name.startsWith(school))?.id
  const entered = await told(
    server,
    'get',
    `${ENTRY}/createSchoolToken?id=${id}&reason=${encodeURIComponent('协助办理')}`,
    undefined,
    own,
  )
  tokens.set(place, entered.token)
  return entered.token as string
}

const enterSite = async (server: APIRequestContext, phone: string, password: string): Promise<string> => {
  const body = await signed(server, 'client_login', phone, password)
  return (await told(server, 'post', '/user/client/login', { ...body, kind: 'learner' })).token
}

/** The calls of a learner of the operators' site, whose password an operator sets anew: what only learners can do. */
export const learnerOf = async (server: APIRequestContext, operator: string, phone: string) => {
  const own = await tokenOf(server, operator)
  const { list } = await told(server, 'post', '/user/pc/ext/list', { phone }, own)
  const [{ id, version }] = list
  const { password } = await told(server, 'put', '/user/pc/ext/update/password', { id, version }, own)
  const first = await enterSite(server, phone, password)
  const chosen = await sealed(server, PASSWORD)
  const change = { oldPassword: await sealed(server, password), loginPassword: chosen, confirmPassword: chosen }
  await told(server, 'put', '/user/client/password', change, first)
  const token = await enterSite(server, phone, PASSWORD)
  return (path: string, body: unknown) => told(server, 'post', path, body, token)
}

interface MenuNode {
  path: string
  title: string
  hidden: boolean
  children: MenuNode[]
}

const pagesOf = (menus: readonly MenuNode[]): MenuNode[] =>
  menus.flatMap((node) => (node.children.length > 0 ? pagesOf(node.children) : [node]))

const MENUS = { platform: '/system/pc/sys/user/menu', school: '/system/pc/sys/school/user/menu' }

/** Where a page of the menu of a token stands, by its name. */
export const addressOf = async (server: APIRequestContext, area: keyof typeof MENUS, token: string, menu: string) => {
  const menus: MenuNode[] = await told(server, 'get', MENUS[area], undefined, token)
  const page = pagesOf(menus).find(({ title, hidden }) => title === menu && !hidden)
  if (!page) throw new Error(`there is no page ${menu}`)
  return page.path.slice(1)
}

/** Makes an operator with every right who has set a password of their own; one that is there stays. */
const makeOperator = async (server: APIRequestContext, maker: string, loginName: string, realName: string) => {
  const roles: { id: number; roleName: string }[] = await told(
    server,
    'get',
    '/system/pc/sys/role/list',
    undefined,
    maker,
  )
  const roleIdList = roles.filter(({ roleName }) => ['超级管理员', '驻校支持'].includes(roleName)).map(({ id }) => id)
  const saved = await ask(server, 'post', `${USER}/save`, { loginName, realName, roleIdList }, maker)
  if (saved.msg === TAKEN) return
  if (saved.code !== 200) throw new Error(`${loginName}: ${JSON.stringify(saved)}`)
  const { initialPassword } = saved.data
  const first = await enter(server, loginName, initialPassword)
  const own = await sealed(server, PASSWORD)
  const change = { oldPassword: await sealed(server, initialPassword), loginPassword: own, confirmPassword: own }
  await told(server, 'put', `${USER}/update/password/current`, change, first)
}

/** The operator who makes those of the stories: `admin` belongs to a story. */
export const beginOperators = async (baseURL: string) => {
  const server = await request.newContext({ baseURL })
  await makeOperator(server, await enter(server, 'admin', PASSWORD), 'admin.maker', '演示开户')
  process.env[MAKER] = await enter(server, 'admin.maker', PASSWORD)
  await server.dispose()
}

/** The operator of a file of stories, made before the first of them; answers the login name. */
export const operatorOf = (file: string, realName: string) => {
  const loginName = `admin.${file}`
  test.beforeAll(async ({ baseURL }) => {
    const server = await request.newContext({ baseURL })
    await makeOperator(server, process.env[MAKER] ?? '', loginName, realName)
    await server.dispose()
  })
  return loginName
}
