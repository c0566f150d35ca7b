import { Alert, Button, Drawer, Form, Input, Table } from '@arco-design/web-react'
import { IconPlus, IconSettings } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdentity } from '@/api/identity'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useCall, useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { basicOptions } from '@/basic_data/BasicSelect'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { type listAdmissionInformationWindows, saveAdmissionInformationWindow } from './api'
import type { Group } from './groups'
import { placeholders, sampleOf, unknownPlaces } from './informationRules'
import { phaseTones } from './tones'
import './informationReview.css'

type Window = RowOf<typeof listAdmissionInformationWindows>

const MINUTE = 'YYYY-MM-DD HH:mm'

/** 采集设置: when the students of some grades fill a form in. */
export const Windows = ({ group }: { group: Group }) => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={group.saveWindow}>
      <Button icon={<IconSettings />} onClick={() => setOpen(true)}>
        采集设置
      </Button>
      {open && <WindowsDrawer group={group} onClose={() => setOpen(false)} />}
    </Can>
  )
}

const WindowsDrawer = ({ group, onClose }: { group: Group; onClose: () => void }) => {
  const request = useRequest()
  const form = useDrawer<Window>()
  const title = `${group.title}采集设置`
  const windows = useQuery({
    queryKey: [group.windows.path],
    queryFn: ({ signal }) => request(group.windows, {}, { signal }),
  })
  return (
    <Drawer title={title} width={860} visible footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <p className="form-lead">学生在采集时间内自行填写和提交，代填不受时间限制；每个年级同时只有一项启用的设置。</p>
      <Button type="primary" icon={<IconPlus />} className="form-lead" onClick={() => form.open()}>
        新增采集设置
      </Button>
      <Loaded query={windows}>
        {(list) => (
          <Table
            rowKey="id"
            size="small"
            border={{ wrapper: true }}
            pagination={false}
            data={list}
            noDataElement="还没有采集设置。新增后学生才能填写，统计才有应提交人数。"
            columns={[
              {
                title: '年级',
                dataIndex: 'gradeNames',
                render: (_: unknown, { gradeNames }: Window) => gradeNames.join('、'),
              },
              {
                title: '阶段',
                dataIndex: 'phase',
                width: 90,
                render: (_: unknown, { phase }: Window) => (
                  <Word tone={phaseTones[phase]}>{labelOf(group.windows, 'phase', phase)}</Word>
                ),
              },
              {
                title: '采集时间',
                dataIndex: 'opensAt',
                width: 270,
                render: (_: unknown, { opensAt, closesAt }: Window) =>
                  `${formatTime(opensAt, MINUTE)} 至 ${formatTime(closesAt, MINUTE)}`,
              },
              {
                title: '要求',
                dataIndex: 'requireSignature',
                width: 110,
                render: (_: unknown, { requireSignature, requireFace }: Window) =>
                  [requireSignature && '签名', requireFace && '人脸'].filter(Boolean).join('、') || '—',
              },
              ...(group.kind === 'admission_commitment'
                ? [
                    {
                      title: '承诺书',
                      dataIndex: 'templateVersion',
                      width: 80,
                      render: (_: unknown, { templateVersion }: Window) => `第${templateVersion}版`,
                    },
                  ]
                : []),
              {
                title: '操作',
                dataIndex: 'id',
                width: 70,
                render: (_: unknown, window: Window) => (
                  <Button
                    type="text"
                    size="small"
                    aria-label={`编辑${window.gradeNames.join('、')}`}
                    onClick={() => form.open(window)}
                  >
                    编辑
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <WindowForm key={form.key} {...form.props} group={group} />
    </Drawer>
  )
}

const Field = fieldsOf(saveAdmissionInformationWindow)

const saving = (group: Group, window: Window | undefined): FormAction<Saved> =>
  window ? formAction(group.editWindow, '已保存采集设置', window) : formAction(group.saveWindow, '已新增采集设置')

const knownGrades = (window: Window | undefined) =>
  window?.gradeIds.map((code, at) => ({ code, desc: window.gradeNames[at] ?? `编号${code}` }))

/** A 承诺书 as somebody will read it, while it is being written. */
const Preview = () => {
  const { form } = Form.useFormContext()
  const school = useIdentity((state) => state.account?.schoolName)
  const text: string | undefined = Form.useWatch('templateText', form)
  const wrong = unknownPlaces(text ?? '')
  return (
    <section className="form-wide information-template" aria-label="承诺书预览">
      {wrong.length > 0 && (
        <Alert
          className="form-lead"
          type="warning"
          content={`${wrong.join('、')}不是可用的占位符，将原样显示在承诺书中`}
        />
      )}
      <h3>预览</h3>
      {text?.trim() ? (
        <p className="information-commitment">{sampleOf(text, school ?? undefined)}</p>
      ) : (
        <p className="form-hint">填写后在这里按示例学生显示</p>
      )}
    </section>
  )
}

const places = placeholders.map(([place, words]) => `${place} ${words}`).join('、')

const WindowForm = ({ group, record, ...drawer }: DrawerProps<Window> & { group: Group }) => {
  const call = useCall()
  const isCommitment = group.kind === 'admission_commitment'
  return (
    <FormDrawer<Window, Saved>
      {...drawer}
      record={record}
      width={760}
      title={record ? `编辑采集设置 ${record.gradeNames.join('、')}` : '新增采集设置'}
      initial={{ gradeIds: [], requireSignature: true, requireFace: false, enabled: true }}
      action={(window) => saving(group, window)}
      reload={async (window) => (await call(group.windows)).find(({ id }) => id === window.id) ?? window}
    >
      <Field name="gradeIds" required>
        <SeveralOptions
          label="年级"
          placeholder="请选择"
          options={listOptions}
          query={basicOptions('grade')}
          known={knownGrades(record)}
        />
      </Field>
      <Field name="enabled" help="停用后学生不能填写，应提交不再计入" />
      <Field name="opensAt" />
      <Field name="closesAt" help="到这一刻不再接受提交；最后一天全天可提交时选次日零点" />
      <Field name="requireSignature" help="学生提交时手写签名；代填时上传签字的扫描件" />
      <Field name="requireFace" help="学生提交前核验人脸" />
      {isCommitment && (
        <>
          <Field
            name="templateText"
            label="承诺书"
            required
            help={`可用：${places}；修改后版本加一，已签署的保持签署时的内容`}
          >
            <Input.TextArea maxLength={5000} showWordLimit autoSize={{ minRows: 6, maxRows: 14 }} />
          </Field>
          <Preview />
        </>
      )}
    </FormDrawer>
  )
}
