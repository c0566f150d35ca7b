import { Alert, Button, Drawer, Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf, tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { refusalIn } from '@/kit/actions'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { checkGraduationPhotos } from './api'
import { graduation } from './groups'
import { Facts, useInformation } from './InformationParts'
import { isActive, type Row, type View } from './informationRules'
import { photoTones } from './tones'
import './informationReview.css'

/** Whose photos are compared, and with whom one begins. */
export interface Comparing {
  rows: readonly Row[]
  at: number
}

const photosOf = ({ photos }: View) =>
  [
    ['录取照片', photos.admissionUrl],
    ['入学照片', photos.enrolUrl],
    ['学历照片', photos.graduationUrl],
  ] as const

const Pictures = ({ view }: { view: View }) => (
  <>
    <div className="information-three">
      {photosOf(view).map(([words, url]) => (
        <figure key={words}>
          {url ? <img src={url} alt={`${view.name}的${words}`} /> : <span>未上传</span>}
          <figcaption>{words}</figcaption>
        </figure>
      ))}
    </div>
    <Facts
      facts={[
        {
          label: '三照比对',
          value: view.photoCheck && (
            <Word tone={photoTones[view.photoCheck]}>{labelOf(graduation.view, 'photoCheck', view.photoCheck)}</Word>
          ),
        },
        { label: '性别', value: labelOf(graduation.view, 'gender', view.gender) },
        { label: '出生日期', value: formatTime(view.birthday, 'YYYY-MM-DD') },
        { label: '专业', value: `${view.levelName} ${view.majorName}` },
        { label: '站点', value: view.siteName },
        { label: '班级', value: view.className ?? '未分班' },
      ]}
    />
  </>
)

/** 三照比对: three pictures of a student side by side; what is decided goes on to the next. */
export const PhotoCheck = ({ visible, record, onClose }: DrawerProps<Comparing>) => {
  const request = useRequest()
  const rows = record?.rows ?? []
  const [at, setAt] = useState(record?.at ?? 0)
  const [refusal, setRefusal] = useState<string>()
  const row = rows[at]
  const view = useInformation(graduation, visible ? row?.id : undefined)
  const person = view.data?.id === row?.id ? view.data : undefined
  const go = (to: number) => {
    setRefusal(undefined)
    setAt(to)
  }
  const check = useMutation({
    mutationFn: ({ result, of }: { result: 'same' | 'different'; of: View }) =>
      request(checkGraduationPhotos, { body: { items: [{ id: of.id, version: of.version }], result } }),
    onSuccess: async (answer, { of }) => {
      const why = refusalIn(answer)
      if (why) setRefusal(why)
      else if (at + 1 < rows.length) go(at + 1)
      await refetchAll()
      if (!why) tellSuccess(`已比对“${of.name}”${at + 1 < rows.length ? '' : '，这是最后一人'}`)
    },
    onError: (error) => {
      setRefusal(messageOf(error))
      refetchAll()
    },
  })
  const complete = person !== undefined && photosOf(person).every(([, url]) => url)
  const held = person && !isActive(person) ? '该生已不在籍，不能比对' : undefined
  const cannotMatch = held ?? (complete ? undefined : '缺少照片，不能判定一致')
  const decide = (result: 'same' | 'different') => {
    if (!person || check.isPending || held || (result === 'same' && cannotMatch)) return
    check.mutate({ result, of: person })
  }
  /** A 一致, R 不一致; ← and → go through the students. */
  const typed = (event: KeyboardEvent) => {
    if (!visible || event.ctrlKey || event.metaKey || event.altKey || check.isPending) return
    const key = event.key.toLowerCase()
    if (key === 'a') decide('same')
    else if (key === 'r') decide('different')
    else if (key === 'arrowright' && at + 1 < rows.length) go(at + 1)
    else if (key === 'arrowleft' && at > 0) go(at - 1)
  }
  const latest = useRef(typed)
  useEffect(() => {
    latest.current = typed
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  const title = `三照比对 ${row?.name ?? ''}`
  return (
    <Drawer
      title={
        <>
          {title}
          <small className="audit-progress">{rows.length > 1 ? ` ${at + 1}/${rows.length}` : ''}</small>
        </>
      }
      width={860}
      visible={visible}
      onCancel={onClose}
      unmountOnExit
      footer={
        <Space>
          <Button disabled={at === 0} title="上一人（←）" onClick={() => go(at - 1)}>
            上一人
          </Button>
          <Button disabled={at + 1 >= rows.length} title="下一人（→）" onClick={() => go(at + 1)}>
            下一人
          </Button>
          <Button title={held ?? '不一致（R）'} disabled={held !== undefined} onClick={() => decide('different')}>
            不一致
          </Button>
          <Button
            type="primary"
            title={cannotMatch ?? '一致（A）'}
            disabled={cannotMatch !== undefined}
            loading={check.isPending}
            onClick={() => decide('same')}
          >
            一致
          </Button>
        </Space>
      }
    >
      <DialogName name={title} />
      {refusal && (
        <div className="form-lead" role="alert">
          <Alert type="error" content={refusal} />
        </div>
      )}
      <Loaded query={{ ...view, data: person }} rows={8}>
        {(shown) => <Pictures view={shown} />}
      </Loaded>
    </Drawer>
  )
}
