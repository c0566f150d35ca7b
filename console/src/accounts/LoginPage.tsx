import { Button, Input } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { websiteQuery } from '@/settings/website'
import { useIdentity } from '@/shell/identity'
import { type Credentials, type Entrance, signIn } from './signIn'

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
  const load = useIdentity((state) => state.load)
  const [chosen, choose] = useState<Entrance>('login')
  const [credentials, setCredentials] = useState<Credentials>({ loginName: '', password: '' })
  const [asked, setAsked] = useState(false)
  const formId = useId()
  const ofSchool = website.data?.schoolId != null
  const entrance = ofSchool ? 'school_login' : chosen

  const enter = useMutation({
    mutationFn: async (credentials: Credentials) => {
      const site = website.data ?? (await website.refetch({ throwOnError: true })).data
      if (!site) return
      await signIn(credentials, entrance, site.publicKey)
      // The guard leads on from here as soon as it knows the menu.
      await load()
    },
  })
  const missing = {
    loginName: asked && !credentials.loginName.trim() ? '请输入账号' : undefined,
    password: asked && !credentials.password ? '请输入密码' : undefined,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (credentials.loginName.trim() && credentials.password && !enter.isPending) enter.mutate(credentials)
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
        <p className="login-slogan">成人高等教育教务管理</p>
        <p>招生、学籍、教学、考试与毕业，一处办理</p>
      </section>
      <section className="login-card" aria-labelledby={`${formId}-title`}>
        {website.data?.logo && <img className="login-logo" src={website.data.logo} alt="" />}
        <h1 id={`${formId}-title`}>{title}</h1>
        {!ofSchool && (
          <fieldset className="login-entrance">
            <legend>登录入口</legend>
            {entrances.map(({ label, value }) => (
              <label key={value}>
                <input type="radio" name="entrance" checked={chosen === value} onChange={() => choose(value)} />
                <span>{label}</span>
              </label>
            ))}
          </fieldset>
        )}
        {/* Arco's form would be a fifth of all that this page loads, for two fields. */}
        <form onSubmit={submit}>
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
          <Button type="primary" size="large" htmlType="submit" long loading={enter.isPending}>
            登录
          </Button>
        </form>
      </section>
      <footer className="login-footer">
        {[website.data?.copyright, website.data?.icp].filter(Boolean).join(' · ')}
      </footer>
    </main>
  )
}
