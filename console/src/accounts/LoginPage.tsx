import { Button, Input } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { websiteQuery } from '@/schools/website'
import { Campus } from './Campus'
import { loadIdentity } from './loadIdentity'
import { type Credentials, codeRefusal, type Entrance, entranceOf, type Invited, invitationsIn, signIn } from './signIn'
import './login.css'

const entrances: readonly { label: string; value: Entrance }[] = [
  { label: '平台登录', value: 'login' },
  { label: '院校登录', value: 'school_login' },
]

interface LoginFieldProps {
  id: string
  label: string
  error: string | undefined
  children: ReactNode
}

const LoginField = ({ id, label, error, children }: LoginFieldProps) => (
  <div className="login-field">
    <label htmlFor={id}>{label}</label>
    {children}
    <p role="alert">{error}</p>
  </div>
)

/** A school's own address knows its school; the operator's lets the person choose the entrance. */
export const LoginPage = () => {
  const website = useQuery(websiteQuery)
  const [chosen, choose] = useState<Entrance>(
    () => entranceOf(new URLSearchParams(location.search).get('redirect')) ?? 'login',
  )
  const [credentials, setCredentials] = useState<Credentials>({ loginName: '', password: '' })
  const [asked, setAsked] = useState(false)
  /** The second step: what stands beside the code's field. */
  const [second, setSecond] = useState<{ told: string | undefined }>()
  /** Schools that ask for somebody who works at none, or at none of this address. */
  const [invited, setInvited] = useState<readonly Invited[]>([])
  const formId = useId()
  const ofSchool = website.data?.schoolId != null
  const entrance = ofSchool ? 'school_login' : chosen

  const enter = useMutation({
    mutationFn: async (credentials: Credentials) => {
      const site = website.data ?? (await website.refetch({ throwOnError: true })).data
      if (!site) return
      await signIn(credentials, entrance, site.publicKey, ofSchool)
      // The guard leads on from here as soon as it knows the menu.
      await loadIdentity()
    },
    onError: (error) => {
      setInvited(invitationsIn(error))
      const told = codeRefusal(error)
      if (told === undefined) return
      setSecond({ told: second ? told : undefined })
      setCredentials((typed) => ({ ...typed, totpCode: '' }))
    },
  })
  const missing = {
    loginName: asked && !credentials.loginName.trim() ? '请输入账号' : undefined,
    password: asked && !credentials.password ? '请输入密码' : undefined,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (second && !credentials.totpCode?.trim()) setSecond({ told: '请输入动态验证码' })
    else if (credentials.loginName.trim() && credentials.password && !enter.isPending) enter.mutate(credentials)
  }
  /** A code opens once, so it is asked for again where there is one. */
  const agree = (agreeTo: number) => {
    const agreed = { ...credentials, agreeTo }
    setInvited([])
    setCredentials(second ? { ...agreed, totpCode: '' } : agreed)
    if (second) setSecond({ told: undefined })
    else enter.mutate(agreed)
  }
  const another = () => {
    setInvited([])
    setSecond(undefined)
    setCredentials({ loginName: credentials.loginName, password: '' })
  }
  const title = website.data?.schoolName ?? website.data?.title ?? '成教云'

  return (
    <main className="login">
      <section
        className="login-brand"
        style={
          website.data?.loginBackground ? { backgroundImage: `url("${website.data.loginBackground}")` } : undefined
        }
      >
        {!website.data?.loginBackground && <Campus />}
        <div className="login-words">
          <p className="login-slogan">成人高等教育教务管理</p>
          <p>招生、学籍、教学、考试与毕业，一处办理</p>
          <ul className="login-facts">
            <li>
              <strong>一人一档</strong>从报名到毕业，经手有据
            </li>
            <li>
              <strong>数出一处</strong>名单、统计与报表口径一致
            </li>
            <li>
              <strong>各司其职</strong>按角色和数据范围办理
            </li>
          </ul>
        </div>
      </section>
      <section className="login-card" aria-labelledby={`${formId}-title`}>
        {website.data?.logo ? (
          <img className="login-logo" src={website.data.logo} alt="" />
        ) : (
          <span className="login-mark" aria-hidden="true">
            {title.slice(0, 1)}
          </span>
        )}
        <h1 id={`${formId}-title`}>{title}</h1>
        {!ofSchool && (
          <fieldset className="login-entrance">
            <legend>登录入口</legend>
            {entrances.map(({ label, value }) => (
              <label key={value}>
                <input
                  type="radio"
                  name="entrance"
                  checked={chosen === value}
                  onChange={() => {
                    choose(value)
                    setAsked(false)
                  }}
                />
                <span>{label}</span>
              </label>
            ))}
          </fieldset>
        )}
        {/* Arco's form would be a fifth of all that this page loads, for two fields. */}
        {invited.map(({ id, schoolName }) => (
          <div key={id} className="login-invitation">
            <p role="alert">“{schoolName}”邀请您加入，同意后即可登录。</p>
            <Button type="primary" size="large" long onClick={() => agree(id)}>
              同意并登录
            </Button>
          </div>
        ))}
        {invited.length > 0 && (
          <Button type="text" long onClick={another}>
            换个账号登录
          </Button>
        )}
        <form onSubmit={submit} hidden={invited.length > 0}>
          {second ? (
            <LoginField id={`${formId}-code`} label="动态验证码" error={second.told}>
              <Input
                id={`${formId}-code`}
                size="large"
                autoFocus
                autoComplete="one-time-code"
                placeholder="验证器中的6位数字，或一个恢复码"
                maxLength={20}
                error={Boolean(second.told)}
                value={credentials.totpCode}
                onChange={(totpCode) => setCredentials({ ...credentials, totpCode })}
              />
            </LoginField>
          ) : (
            <>
              <LoginField id={`${formId}-name`} label="账号" error={missing.loginName}>
                <Input
                  id={`${formId}-name`}
                  size="large"
                  autoFocus
                  autoComplete="username"
                  maxLength={64}
                  error={Boolean(missing.loginName)}
                  value={credentials.loginName}
                  onChange={(loginName) => setCredentials({ ...credentials, loginName })}
                />
              </LoginField>
              <LoginField id={`${formId}-password`} label="密码" error={missing.password}>
                <Input.Password
                  id={`${formId}-password`}
                  size="large"
                  autoComplete="current-password"
                  error={Boolean(missing.password)}
                  value={credentials.password}
                  onChange={(password) => setCredentials({ ...credentials, password })}
                />
              </LoginField>
            </>
          )}
          <Button type="primary" size="large" htmlType="submit" long loading={enter.isPending}>
            登录
          </Button>
          {second ? (
            <Button type="text" long onClick={another}>
              换个账号登录
            </Button>
          ) : (
            <p className="login-help">忘记密码时，请联系本单位的管理员重置。</p>
          )}
        </form>
      </section>
      <footer className="login-footer">
        <p>{[website.data?.copyright, website.data?.icp, website.data?.policeRecord].filter(Boolean).join(' · ')}</p>
        {website.data?.servicePhone && <p>客服电话：{website.data.servicePhone}</p>}
        <p>建议使用 Chrome、Edge 等最新版浏览器，分辨率不低于 1366×768</p>
      </footer>
    </main>
  )
}
