import { Button, Form, Select, Switch, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { BulkResult, Saved, Stepped } from '@/api/types/shared'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { graduationBatches } from '@/certificates/choices'
import { StudentsSelect } from '@/course_selection/choices'
import { afterwards, byState, IN_BACKGROUND, itemOf, type RowAction, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FileLink } from '@/kit/FileLink'
import { FileUpload } from '@/kit/FileUpload'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { filterOf, useFileOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  addGraduates,
  auditGraduates,
  checkGraduates,
  decideGraduates,
  exportGraduates,
  listGraduates,
  printGraduates,
  removeGraduates,
  revokeGraduate,
  viewGraduate,
  waiveGraduationRule,
} from './api'
import { can, decisionTones, type Graduate, opinionTones, resultTones, ruleCodes, userTones } from './graduationWords'
import { useGround } from './ground'

type Item = DataOf<typeof viewGraduate>['items'][number]
type Ticked = Selected<{ id: number; version: number }, object>

const trail = historyOf(viewGraduate, 'graduation_user')

const columns = columnsOf(listGraduates, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', title: '状态', width: 90, fixed: 'left', tones: userTones },
  {
    field: 'auditResult',
    title: '审核结果',
    width: 150,
    render: ({ auditResult, stale }) => (
      <>
        <Word tone={resultTones[auditResult]}>
          {auditResult === 'passed' ? '符合' : auditResult === 'failed' ? '不符合' : '待审核'}
        </Word>{' '}
        {stale && <Word tone="warning">已过期</Word>}
      </>
    ),
  },
  { field: 'failedRules', width: 220 },
  { field: 'siteOpinion', title: '站点意见', width: 90, tones: opinionTones },
  { field: 'decision', title: '结论', width: 90, tones: decisionTones },
  { field: 'suggestion', title: '建议结论', width: 90 },
  {
    field: 'earnedCredits',
    title: '已获/应修学分',
    width: 120,
    render: ({ earnedCredits, requiredCredits }) => `${points(earnedCredits)} / ${points(requiredCredits)}`,
  },
  { field: 'failedCourses', width: 100 },
  { field: 'average', width: 100, render: ({ average }) => points(average) },
  { field: 'thesisTotal', title: '论文', width: 80, render: ({ thesisTotal }) => points(thesisTotal) },
  { field: 'arrears', width: 70 },
  { field: 'hasPhoto', title: '图像', width: 70 },
  { field: 'majorName', width: 150 },
  { field: 'levelName', width: 100 },
  { field: 'siteName', title: '站点', width: 140 },
  { field: 'className', width: 150 },
  { field: 'batchName', width: 150 },
  { field: 'decisionReason', width: 160, hidden: true },
  { field: 'waived', width: 80, hidden: true },
  { field: 'auditedAt', width: 170, hidden: true },
])

const settle = (verb: string, ticked: Ticked | undefined) => (answer: Stepped) => {
  ticked?.done(answer.failed)
  if (answer.failed.length > 0) tellFailures(verb, answer)
}

const Checked = fieldsOf(checkGraduates)

/** 站点初审. */
const CheckForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ opinion?: string; remark?: string }, Stepped>
    {...drawer}
    record={undefined}
    initial={{ opinion: 'agree' }}
    title={`站点初审 ${formatNumber(ticked?.count ?? 0)}名学生`}
    okText="提交初审"
    action={() => formAction(checkGraduates, afterwards(ticked, '已提交站点初审'), ticked?.rows)}
    onSaved={settle('站点初审', ticked)}
  >
    <Checked name="opinion" label="意见">
      <Select
        options={(checkGraduates.fields.opinion?.options ?? [])
          .filter(([value]) => value !== 'none')
          .map(([value, label]) => ({ value, label }))}
      />
    </Checked>
    <Checked name="remark" help="不同意时必填" />
  </FormDrawer>
)

const Decided = fieldsOf(decideGraduates)

/** 终审: what becomes of them. */
const DecideForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ decision?: string; reason?: string }, Stepped>
    {...drawer}
    record={undefined}
    initial={{ decision: 'graduate' }}
    title={`终审 ${formatNumber(ticked?.count ?? 0)}名学生`}
    okText="提交终审"
    action={() => formAction(decideGraduates, afterwards(ticked, '已终审'), ticked?.rows)}
    onSaved={settle('终审', ticked)}
  >
    <p className="form-hint">毕业只用于审核符合且没有过期的；其余会保留并说明原因。</p>
    <Decided name="decision" label="结论">
      <Select
        options={(decideGraduates.fields.decision?.options ?? [])
          .filter(([value]) => value !== 'none')
          .map(([value, label]) => ({ value, label }))}
      />
    </Decided>
    <Decided name="reason" help="结业和肄业时必填，学生可以看到" />
  </FormDrawer>
)

const Removed = fieldsOf(removeGraduates)

const RemoveForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ reason?: string }, Stepped>
    {...drawer}
    record={undefined}
    title={`移出${formatNumber(ticked?.count ?? 0)}名学生`}
    okText="移出"
    danger
    action={() => formAction(removeGraduates, afterwards(ticked, '已移出'), ticked?.rows)}
    onSaved={settle('移出', ticked)}
  >
    <p className="form-hint">移出后可以列入以后的批次。</p>
    <Removed name="reason" />
  </FormDrawer>
)

const Revoked = fieldsOf(revokeGraduate)

/** 撤销毕业 of one whose conclusion holds already. */
const RevokeForm = ({ record: row, ...drawer }: DrawerProps<Graduate>) => (
  <FormDrawer<{ reason?: string; fileKey?: string; certificateReturned?: boolean }, Saved>
    {...drawer}
    record={undefined}
    initial={{ certificateReturned: false }}
    title={`撤销毕业 ${row?.name ?? ''}`}
    okText="撤销毕业"
    danger
    action={() =>
      formAction(revokeGraduate, `已撤销${row?.name}的毕业`, { ...(row && itemOf(row)), certificateReturned: false })
    }
  >
    <p className="form-hint">学籍恢复，证书作废，成绩解除锁定。</p>
    <Revoked name="reason" />
    <Revoked name="fileKey">
      <FileUpload type={3} purpose="registration" accept=".pdf,.jpg,.jpeg,.png" />
    </Revoked>
    <Form.Item field="certificateReturned" label="证书已收回" triggerPropName="checked" extra="已发放的证书必须先收回">
      <Switch aria-label="证书已收回" />
    </Form.Item>
  </FormDrawer>
)

const Added = fieldsOf(addGraduates)

/** 添加 of students whom the batch did not list. */
const AddForm = ({ record: batch, ...drawer }: DrawerProps<{ batchId: number }>) => (
  <FormDrawer<{ studentIds?: number[] }, BulkResult>
    {...drawer}
    record={undefined}
    title="添加毕业生"
    okText="添加"
    action={() => formAction(addGraduates, ({ done }) => `已添加${formatNumber(done)}名学生`, batch)}
    onSaved={(answer) => {
      if (answer.failed.length > 0) tellFailures('添加毕业生', answer)
    }}
  >
    <Added name="studentIds">
      <StudentsSelect known={[]} onFound={() => undefined} />
    </Added>
  </FormDrawer>
)

/** 审核详情: each rule, what it wants, what there is, and why not; what may be waived is waived here. */
const AuditFile = ({ graduate }: { graduate: Graduate }) => {
  const request = useRequest()
  const waive = useDrawer<Reasoned>()
  const { id } = graduate
  const groundsOf = useGround(graduate.studentId)
  const fresh = () => request(viewGraduate, { query: { id } })
  const query = useQuery({
    queryKey: [viewGraduate.path, id],
    queryFn: ({ signal }) => request(viewGraduate, { query: { id } }, { signal }),
  })
  return (
    <>
      <Loaded query={query}>
        {(view) => (
          <>
            <p className="form-hint">
              {[
                view.siteByName && `站点意见：${view.siteRemark ?? '无说明'}（${view.siteByName}）`,
                view.decidedByName &&
                  `终审：${view.decidedByName}${view.decisionReason ? `，${view.decisionReason}` : ''}`,
                view.removeReason && `移出：${view.removeReason}`,
                view.revokeReason && `撤销：${view.revokeReason}`,
              ]
                .filter(Boolean)
                .join('；')}
              {view.revokeFileUrl && <FileLink name="撤销材料" address={async () => (await fresh()).revokeFileUrl} />}
            </p>
            <Table
              size="small"
              rowKey="ruleCode"
              border={{ wrapper: true }}
              pagination={false}
              data={view.items}
              columns={[
                { title: '条件', dataIndex: 'ruleName', width: 120 },
                {
                  title: '结果',
                  width: 88,
                  render: (_: unknown, item: Item) => (
                    <Word tone={item.passed || item.waived ? 'good' : item.severity === 'must' ? 'bad' : 'warning'}>
                      {item.passed ? '✓ 通过' : item.waived ? '豁免' : item.severity === 'must' ? '✗ 未过' : '提示'}
                    </Word>
                  ),
                },
                {
                  title: '要求/实际',
                  width: 126,
                  render: (_: unknown, item: Item) => (
                    <>
                      {item.required}
                      <br />
                      {item.actual}
                    </>
                  ),
                },
                {
                  title: '说明',
                  render: (_: unknown, item: Item) =>
                    item.waived ? (
                      <>
                        {`${item.explanation}（豁免：${item.waiveReason ?? ''}，${item.waivedByName ?? ''}）`}
                        {item.waiveFileUrl && (
                          <FileLink
                            name="证明材料"
                            address={async () =>
                              (await fresh()).items.find(({ ruleCode }) => ruleCode === item.ruleCode)?.waiveFileUrl
                            }
                          />
                        )}
                      </>
                    ) : (
                      <>
                        {item.explanation}
                        {item.courses.length > 0 && <p className="form-hint">{item.courses.join('、')}</p>}
                      </>
                    ),
                },
                {
                  title: '操作',
                  width: 132,
                  render: (_: unknown, item: Item) =>
                    !item.passed &&
                    !item.waived && (
                      <RowActions
                        actions={[
                          ...groundsOf(item.ruleCode),
                          {
                            label: '豁免',
                            do: waiveGraduationRule,
                            disabled: can.decide(graduate),
                            onClick: () =>
                              waive.open({
                                title: `豁免${item.ruleName} ${graduate.name}`,
                                verb: '豁免',
                                hint: '只有可豁免的条件能够豁免，须有证明材料。',
                                do: waiveGraduationRule,
                                body: { id, version: view.version, ruleCode: item.ruleCode },
                                done: `已豁免${item.ruleName}`,
                                file: '证明材料',
                              }),
                          },
                        ]}
                      />
                    ),
                },
              ]}
            />
            {trail({ id })}
          </>
        )}
      </Loaded>
      <ReasonForm key={waive.key} {...waive.props} />
    </>
  )
}

/** 毕业审核: the list of graduates of one batch, or of all. */
export const GraduatesTab = ({ batchId }: { batchId?: number }) => {
  const table = useQueryTable(listGraduates, batchId === undefined ? {} : { usual: { batchId } })
  const check = useDrawer<Ticked>()
  const decide = useDrawer<Ticked>()
  const remove = useDrawer<Ticked>()
  const revoke = useDrawer<Graduate>()
  const add = useDrawer<{ batchId: number }>()
  const printing = useFileOf(printGraduates)
  const audit = useAction(auditGraduates, {
    done: ({ done, jobId }) => (jobId ? IN_BACKGROUND : `已审核${formatNumber(done)}名学生`),
    onDone: (answer) => {
      if (answer.failed.length > 0) tellFailures('毕业审核', answer)
    },
  })
  const shown = batchId ?? (Number(table.filters.batchId) || undefined)
  const chosen = (rows: Ticked['rows'], count: number): Ticked => ({
    rows,
    count,
    done: (failed) => table.tickRows(failed ?? []),
  })
  const of = (rows: readonly Graduate[]) => chosen({ items: rows.map(itemOf) }, rows.length)
  const actions = (row: Graduate): RowAction[] => {
    const checking = {
      label: '初审',
      do: checkGraduates,
      disabled: can.decide(row),
      onClick: () => check.open(of([row])),
    }
    const deciding = {
      label: '终审',
      do: decideGraduates,
      disabled: can.decide(row),
      onClick: () => decide.open(of([row])),
    }
    return [
      row.status === 'listed' ? checking : deciding,
      { label: '审核详情', do: viewGraduate, onClick: () => table.open(row) },
      {
        label: '重新审核',
        do: auditGraduates,
        disabled: can.decide(row),
        onClick: () => audit.mutate({ body: { ids: [row.id] } }),
      },
      row.status === 'listed' ? deciding : checking,
      {
        label: '打印审核表',
        do: printGraduates,
        onClick: () =>
          printing.mutate({ input: { body: { ids: [row.id], roll: false } }, name: `毕业资格审核表_${row.name}.pdf` }),
      },
      {
        label: '移出',
        do: removeGraduates,
        danger: true,
        disabled: can.decide(row),
        onClick: () => remove.open(of([row])),
      },
      {
        label: '撤销毕业',
        do: revokeGraduate,
        danger: true,
        disabled: can.revoke(row),
        onClick: () => revoke.open(row),
      },
    ]
  }
  return (
    <>
      <FilterBar table={table}>
        {batchId === undefined ? (
          <OptionFilter of={listGraduates} field="batchId" label="毕业批次" {...graduationBatches} />
        ) : null}
        <TextFilter of={listGraduates} field="keyword" label="关键字" />
        <EnumFilter of={listGraduates} field="auditResult" label="审核结果" />
        <SelectFilter
          of={listGraduates}
          field="failedRule"
          options={ruleCodes.graduation.map(([value, label]) => ({ value, label }))}
        />
        <EnumFilter of={listGraduates} field="decision" label="结论" />
        <YesNoFilter of={listGraduates} field="stale" />
        <EnumFilter of={listGraduates} field="status" label="状态" />
        <OptionFilter of={listGraduates} field="siteId" {...sites} />
        <OptionFilter of={listGraduates} field="majorId" {...majors} />
        <OptionFilter of={listGraduates} field="classId" {...classes} />
        <OptionFilter of={listGraduates} field="gradeId" {...grades} />
        <OptionFilter of={listGraduates} field="levelId" {...levels} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <div className="graduation-bar">
            <Can do={addGraduates}>
              <Button
                type="primary"
                disabled={shown === undefined}
                title={shown === undefined ? '请先在筛选中选择毕业批次' : undefined}
                onClick={() => shown !== undefined && add.open({ batchId: shown })}
              >
                添加毕业生
              </Button>
            </Can>
            <Can do={printGraduates}>
              <Button
                disabled={table.total === 0}
                title={table.total === 0 ? '名单中没有可打印的学生' : undefined}
                loading={printing.isPending}
                onClick={() =>
                  printing.mutate({ input: { body: { ...filterOf(table.body), roll: true } }, name: '毕业生名册.pdf' })
                }
              >
                打印名册
              </Button>
            </Can>
          </div>
        }
        tools={<ExportButton do={exportGraduates} table={table} />}
        bulk={[
          { label: '批量审核', do: auditGraduates, open: (ids) => audit.mutate({ body: { ids: [...ids] } }) },
          {
            label: '批量初审',
            do: checkGraduates,
            open: () => check.open(of(table.tickedRows)),
            openAll: (filter, count) => check.open(chosen({ filter }, count)),
          },
          {
            label: '批量终审',
            do: decideGraduates,
            open: () => decide.open(of(table.tickedRows)),
            openAll: (filter, count) => decide.open(chosen({ filter }, count)),
          },
          {
            label: '批量移出',
            do: removeGraduates,
            open: () => remove.open(of(table.tickedRows)),
            openAll: (filter, count) => remove.open(chosen({ filter }, count)),
          },
          {
            label: '打印审核表',
            do: printGraduates,
            open: (ids) =>
              printing.mutate({ input: { body: { ids: [...ids], roll: false } }, name: '毕业资格审核表.pdf' }),
          },
        ]}
        file={(row) => <AuditFile graduate={row} />}
        actionsWidth={210}
        actions={(row) => byState(actions(row))}
        empty="名单中还没有毕业生。在毕业批次中启动并“生成名单”。"
      />
      <CheckForm key={`check-${check.key}`} {...check.props} />
      <DecideForm key={`decide-${decide.key}`} {...decide.props} />
      <RemoveForm key={`remove-${remove.key}`} {...remove.props} />
      <RevokeForm key={`revoke-${revoke.key}`} {...revoke.props} />
      <AddForm key={`add-${add.key}`} {...add.props} />
    </>
  )
}
