import { Alert, Descriptions, Empty, Form, Input, Radio, Table } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '@/api/schoolContext'
import type { Warned } from '@/api/types/shared'
import { confirm } from '@/kit/confirm'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { type Candidate, differencesFrom, maybeAnother, type Row } from './admissionRules'
import { listAdmissionCandidates, matchAdmissionByHand, viewAdmission } from './api'

/** Of the admission as much as the question needs. */
type Person = Pick<Row, 'id' | 'version' | 'name' | 'examineeNo' | 'idCardNo' | 'levelName' | 'majorName'>

const personOf = ({ id, version, name, examineeNo, idCardNo, levelName, majorName }: Person): Person => ({
  id,
  version,
  name,
  examineeNo,
  idCardNo,
  levelName,
  majorName,
})

const Admitted = ({ person }: { person: Person }) => (
  <Descriptions
    className="form-wide form-lead"
    column={2}
    labelStyle={{ width: 112 }}
    data={[
      { label: '录取姓名', value: person.name },
      { label: '考生号', value: person.examineeNo },
      { label: '证件号', value: person.idCardNo },
      { label: '录取专业', value: `${person.levelName} ${person.majorName}` },
    ]}
  />
)

interface LeadsProps {
  person: Person
  value?: number
  onChange?: (id: number) => void
  chosen: Candidate | undefined
  onChoose: (lead: Candidate) => void
}

/** In what the chosen lead differs: above the others, so that it is read before it is taken. */
const Differing = ({ person, lead }: { person: Person; lead: Candidate }) => {
  const differences = differencesFrom(person, lead)
  return differences.length > 0 ? (
    <Alert
      className="form-lead"
      type="warning"
      title={`“${lead.name}”与录取数据有${differences.length}处不同，请确认是同一人`}
      content={
        <ul className="match-differences">
          {differences.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      }
    />
  ) : (
    <Alert className="form-lead" type="success" content={`“${lead.name}”与录取数据一致`} />
  )
}

/** Leads that could be the person, one of which is taken; what makes it somebody else is said before. */
const Leads = ({ person, value, onChange, chosen, onChoose }: LeadsProps) => {
  const call = useCall()
  const [text, setText] = useState('')
  const keyword = useSettled(text).trim() || undefined
  const leads = useQuery({
    queryKey: [listAdmissionCandidates.path, person.id, keyword],
    queryFn: () => call(listAdmissionCandidates, { query: { id: person.id, keyword } }),
    placeholderData: keepPreviousData,
  })
  const choose = (lead: Candidate) => {
    onChoose(lead)
    onChange?.(lead.id)
  }
  return (
    <>
      <Input.Search
        className="form-lead"
        aria-label="查找预报名"
        placeholder="姓名、证件号、手机、网报号或考生号"
        allowClear
        maxLength={50}
        value={text}
        onChange={setText}
        // Enter looks for somebody; it saves nothing.
        onPressEnter={(event) => event.preventDefault()}
      />
      {chosen?.id === value && chosen && <Differing person={person} lead={chosen} />}
      <Loaded query={leads} rows={4}>
        {(list) => (
          <Table
            className={leads.isPlaceholderData ? 'table-stale' : undefined}
            rowKey="id"
            size="small"
            border={{ wrapper: true }}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            data={list}
            noDataElement={
              <Empty
                description={
                  keyword
                    ? '没有找到，请换一个词；只能选择同一年级待审核或已通过、尚未与他人匹配的预报名'
                    : '没有证件号、考生号或姓名相同的预报名，请输入姓名或号码查找'
                }
              />
            }
            columns={[
              {
                title: '姓名',
                dataIndex: 'name',
                width: 120,
                render: (_: unknown, lead: Candidate) => (
                  <Radio checked={lead.id === value} onChange={() => choose(lead)}>
                    {lead.name}
                  </Radio>
                ),
              },
              {
                title: '证件号',
                dataIndex: 'idCardNo',
                width: 200,
                render: (_: unknown, lead: Candidate) => (
                  <>
                    {lead.idCardNo} {lead.sameIdCard && <Word tone="good">相同</Word>}
                  </>
                ),
              },
              { title: '手机', dataIndex: 'phone', width: 120 },
              {
                title: '考生号',
                dataIndex: 'examineeNo',
                width: 120,
                render: (number: string | null) => number || <span className="nothing">—</span>,
              },
              { title: '专业', dataIndex: 'majorName' },
              { title: '站点', dataIndex: 'siteName' },
              {
                title: '审核状态',
                dataIndex: 'status',
                width: 90,
                render: (status: string) => labelOf(listAdmissionCandidates, 'status', status),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}

/** 手工匹配: which lead somebody is, whatever the numbers say. */
export const MatchByHand = ({ record, ...drawer }: DrawerProps<Row>) => {
  const [chosen, setChosen] = useState<Candidate>()
  const isSure = async () => {
    if (!record || !chosen || !maybeAnother(record, chosen)) return true
    return confirm({
      title: `仍然把“${record.name}”匹配为“${chosen.name}”？`,
      content: `${differencesFrom(record, chosen).join('；')}。请确认是同一人。`,
      okText: '仍然匹配',
    })
  }
  return (
    <FormDrawer<Person & { preRegistrationId?: number }, Warned>
      {...drawer}
      record={record && personOf(record)}
      width={960}
      title={`手工匹配 ${record?.name ?? ''}`}
      ask={isSure}
      action={(person) =>
        formAction(matchAdmissionByHand, `已匹配“${record?.name}”的预报名`, {
          id: person?.id,
          version: person?.version,
        })
      }
      reload={async (person, call) => personOf(await call(viewAdmission, { query: { id: person.id } }))}
    >
      {record && <Admitted person={record} />}
      <p className="form-hint form-wide">匹配后手机取自预报名，尚未分配的站点按预报名分配。</p>
      <Form.Item
        className="form-wide"
        field="preRegistrationId"
        label="预报名"
        rules={[{ required: true, message: '请选择预报名' }]}
      >
        {record && <Leads person={record} chosen={chosen} onChoose={setChosen} />}
      </Form.Item>
    </FormDrawer>
  )
}
