import { Button, Empty, Form, Modal, Space, Table } from '@arco-design/web-react'
import { IconPlus, IconSearch, IconUndo } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { FormDialog } from '@/kit/FormDialog'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { Enabled } from '@/kit/Status'
import { undoBy } from '@/kit/undo'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import {
  deleteSuperviseRule,
  editSuperviseRule,
  listSuperviseRules,
  resetSuperviseRules,
  saveSuperviseRule,
  scanSuperviseCases,
} from './api'
import { RuleForm } from './RuleForm'
import { paramsOf, type Rule, type ScanFilter, unitOf } from './superviseRules'
import { kindWord } from './words'

/** 试算: how many students the rules would find now; nothing is written. */
const Try = () => {
  const request = useRequest()
  const [asking, setAsking] = useState(false)
  const tell = ({ students, red, orange, yellow }: RowOf<typeof scanSuperviseCases>) => {
    setAsking(false)
    Modal.info({
      title: `按现在的规则试算${formatNumber(students)}名学生`,
      okText: '知道了',
      content: `红色${formatNumber(red)}人，橙色${formatNumber(orange)}人，黄色${formatNumber(yellow)}人；只是试算，没有改动案例。`,
    })
  }
  return (
    <Can do={scanSuperviseCases}>
      <Button icon={<IconSearch />} onClick={() => setAsking(true)}>
        试算
      </Button>
      {asking && (
        <FormDialog<ScanFilter, RowOf<typeof scanSuperviseCases>>
          title="试算规则"
          okText="开始试算"
          lead={<p className="form-hint">不选为全部学生；一次最多20000名，超过时请选择站点、年级或班级。</p>}
          action={(filter) => request(scanSuperviseCases, { body: { filter, dryRun: true } })}
          onDone={tell}
          onClose={() => setAsking(false)}
        >
          <Form.Item field="siteId" label="站点">
            <BasicSelect type="site" label="站点" />
          </Form.Item>
          <Form.Item field="gradeId" label="年级">
            <BasicSelect type="grade" label="年级" />
          </Form.Item>
          <Form.Item field="classId" label="班级">
            <BasicSelect type="class" label="班级" />
          </Form.Item>
        </FormDialog>
      )}
    </Can>
  )
}

const Reset = () => {
  const reset = useAction(resetSuperviseRules, { done: '已恢复默认规则' })
  const start = async () => {
    const title = '把全部规则恢复为默认？'
    const content = '现有规则都会删除，换回每所院校开始时的规则；下次扫描起生效。'
    if (await confirm({ title, content, okText: '恢复默认', danger: true })) reset.mutate({ body: {} })
  }
  return (
    <Can do={resetSuperviseRules}>
      <Button icon={<IconUndo />} loading={reset.isPending} onClick={start}>
        恢复默认
      </Button>
    </Can>
  )
}

const from = (rule: Rule, value: number | null | undefined) => (value == null ? '不用' : `${value}${unitOf(rule.kind)}`)

const paramWords = ({ kind, params }: Rule) =>
  (paramsOf[kind] ?? [])
    .map(({ key, label, usual }) => `${label}${params?.find((param) => param.key === key)?.value ?? usual}`)
    .join('；')

/** 规则: from which measure on somebody is flagged, and where. */
export const Rules = () => {
  const request = useRequest()
  const form = useDrawer<Rule>()
  const query = useQuery({
    queryKey: [listSuperviseRules.path],
    queryFn: ({ signal }) => request(listSuperviseRules, {}, { signal }),
  })
  const switched = ({ scopeName: _scope, updatedAt: _at, ...rule }: Rule) => ({
    body: { ...rule, enabled: !rule.enabled },
  })
  const actions = (rule: Rule) => [
    { label: '编辑', do: editSuperviseRule, onClick: () => form.open(rule) },
    step(editSuperviseRule, {
      label: rule.enabled ? '停用' : '启用',
      with: switched(rule),
      confirm: rule.enabled
        ? { title: `停用“${kindWord(rule.kind)}”的规则？`, content: '下次扫描起，由它产生的预警会解除。' }
        : undefined,
      done: `已${rule.enabled ? '停用' : '启用'}“${kindWord(rule.kind)}”的规则`,
      undo: () => undoBy(editSuperviseRule, switched({ ...rule, enabled: !rule.enabled, version: rule.version + 1 })),
    }),
    step(deleteSuperviseRule, {
      label: '删除',
      with: { query: { id: rule.id } },
      danger: true,
      confirm: { title: `删除“${kindWord(rule.kind)}”的规则？`, content: '下次扫描起，由它产生的预警会解除。' },
      done: `已删除“${kindWord(rule.kind)}”的规则`,
    }),
    step(resetSuperviseRules, {
      label: '恢复默认',
      with: { body: { kind: rule.kind } },
      danger: true,
      confirm: { title: `“${kindWord(rule.kind)}”恢复为默认规则？`, content: '该类型的全部规则都会删除。' },
      done: '已恢复默认规则',
    }),
  ]
  return (
    <>
      <div className="toolbar">
        <Can do={saveSuperviseRule}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
            新增规则
          </Button>
        </Can>
        <span className="form-hint">
          同一类型有多条规则时，适用范围最具体的一条生效；两个橙色类型合为红色。开学宽限周内不预警。
        </span>
        <div className="toolbar-right">
          <Space size={4}>
            <Try />
            <Reset />
          </Space>
        </div>
      </div>
      <Loaded query={query} rows={10}>
        {(rules) => (
          <Table
            rowKey="id"
            size="middle"
            border={{ wrapper: true }}
            pagination={false}
            data={[...rules]}
            noDataElement={<Empty description="没有规则，不会产生预警；可以恢复默认规则。" />}
            scroll={{ x: true }}
            columns={[
              { title: '预警类型', width: 150, fixed: 'left', render: (_: unknown, rule: Rule) => kindWord(rule.kind) },
              {
                title: '状态',
                width: 80,
                render: (_: unknown, rule: Rule) => <Enabled value={rule.enabled === true} />,
              },
              { title: '适用范围', width: 200, dataIndex: 'scopeName' },
              {
                title: '黄色',
                width: 110,
                align: 'right',
                render: (_: unknown, rule: Rule) => from(rule, rule.yellow),
              },
              {
                title: '橙色',
                width: 110,
                align: 'right',
                render: (_: unknown, rule: Rule) => from(rule, rule.orange),
              },
              { title: '红色', width: 110, align: 'right', render: (_: unknown, rule: Rule) => from(rule, rule.red) },
              { title: '宽限周', width: 80, align: 'right', dataIndex: 'graceWeeks' },
              { title: '参数', width: 200, render: (_: unknown, rule: Rule) => paramWords(rule) },
              {
                title: '操作',
                width: 190,
                fixed: 'right',
                render: (_: unknown, rule: Rule) => <RowActions actions={actions(rule)} />,
              },
            ]}
          />
        )}
      </Loaded>
      <RuleForm key={form.key} {...form.props} />
    </>
  )
}
