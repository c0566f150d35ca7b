import { Button } from '@arco-design/web-react'
import { IconEye, IconPlus, IconSend, IconUndo } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { TabList } from '@/kit/TabList'
import { useAction } from '@/kit/useAction'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { AllocateFields } from './AllocateFields'
import {
  allocateFieldAttributes,
  exportFieldAttributes,
  listFieldAttributes,
  resetFieldAttributes,
  saveFieldAttribute,
  viewFieldForm,
} from './api'
import { ALL, type FieldAttribute, FieldAttributeForm } from './FieldAttributeForm'
import { FieldPreview } from './FieldPreview'
import { FieldTable } from './FieldTable'
import type { Stage } from './stage'

/** In the order in which people come to them. */
const STAGES: readonly [Stage, ...Stage[]] = [
  'pre_registration',
  'registration',
  'admission_information',
  'graduation_information',
]

const useStage = () => {
  const [search, setSearch] = useAddress()
  const stage = STAGES.find((each) => each === search.get('stage')) ?? STAGES[0]
  const choose = (next: Stage) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      after.set('stage', next)
      return after
    })
  return [stage, choose] as const
}

/** The fields of the stages, of a school or of the operators' template. */
export const StageFields = () => {
  const [stage, choose] = useStage()
  return (
    <>
      <div className="list-tabs">
        <TabList
          label="环节"
          tabs={STAGES.map((each) => [each, labelOf(listFieldAttributes, 'stage', each)] as const)}
          value={stage}
          onChange={choose}
        />
      </div>
      <FieldsOf key={stage} stage={stage} />
    </>
  )
}

const FieldsOf = ({ stage }: { stage: Stage }) => {
  const request = useRequest()
  const form = useDrawer<FieldAttribute>()
  const preview = useDrawer<object>()
  const given = useDrawer<never>()
  const fields = useQuery({
    queryKey: [listFieldAttributes.path, stage],
    queryFn: ({ signal }) => request(listFieldAttributes, { body: { stage, pageSize: ALL } }, { signal }),
  })
  const back = useAction(resetFieldAttributes, {
    done: ({ done }) => (done > 0 ? `已恢复${done}个内置字段` : '内置字段与平台模板一致，没有变化'),
  })
  const reset = async () => {
    const sure = await confirm({
      title: '恢复内置字段的默认设置？',
      content: '内置字段的显示、必填、学员可改和启用恢复为平台模板的设置；名称、顺序和自定义字段不变。',
      okText: '恢复默认',
    })
    if (sure) back.mutate({ body: { stage } })
  }
  return (
    <>
      <div className="toolbar">
        <Can do={saveFieldAttribute}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
            新增字段
          </Button>
        </Can>
        <Can do={viewFieldForm}>
          <Button icon={<IconEye />} onClick={() => preview.open()}>
            预览
          </Button>
        </Can>
        <Can do={allocateFieldAttributes}>
          <Button icon={<IconSend />} disabled={!fields.data} onClick={() => given.open()}>
            下发
          </Button>
        </Can>
        <Can do={resetFieldAttributes}>
          <Button icon={<IconUndo />} loading={back.isPending} onClick={reset}>
            恢复默认
          </Button>
        </Can>
        <div className="toolbar-right">
          <ExportButton do={exportFieldAttributes} table={{ body: { stage }, total: fields.data?.totalCount ?? 0 }} />
        </div>
      </div>
      <Loaded query={fields}>
        {({ list, dictionaries }) => (
          <>
            <FieldTable fields={list} dictionaries={dictionaries} edit={form.open} />
            <FieldAttributeForm key={form.key} {...form.props} stage={stage} dictionaries={dictionaries} />
            <AllocateFields key={`given-${given.key}`} {...given.props} fields={list} />
          </>
        )}
      </Loaded>
      <FieldPreview stage={stage} visible={preview.props.visible} onClose={preview.props.onClose} />
    </>
  )
}
