import { Avatar, Button, Typography } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ShownOnce } from '@/accounts/ShownOnce'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, NumberFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { switching } from '@/kit/steps'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  changeLearnerStatus,
  editLearner,
  exportLearners,
  fetchLearnerImportTemplate,
  grantLearnerRight,
  grantLearnerVip,
  importLearners,
  listLearners,
  resetLearnerPassword,
  saveLearner,
  viewLearner,
} from './api'
import { RightForm, VipForm } from './GrantForms'
import { LearnerFile } from './LearnerFile'
import { LearnerForm } from './LearnerForm'
import './learners.css'

type Learner = RowOf<typeof listLearners>
type Detail = RowOf<typeof viewLearner>

const nameOf = ({ nickname, phone }: Learner) => nickname ?? phone

const columns = columnsOf(listLearners, [
  {
    field: 'nickname',
    width: 180,
    fixed: 'left',
    render: (row) => (
      <span className="learner">
        <Avatar size={22}>
          {row.headImg ? <img src={row.headImg} alt="" loading="lazy" /> : nameOf(row).slice(0, 1)}
        </Avatar>
        {row.nickname ?? '未填昵称'}
      </span>
    ),
  },
  { field: 'enabled', fixed: 'left' },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="user_ext" id={row.id} field="phone" label="手机号" value={row.phone} />,
  },
  { field: 'memberState', width: 100, tones: { running: 'good', ended: 'warning', none: 'quiet' } },
  { field: 'vipExpiresAt', width: 180 },
  { field: 'source', width: 110 },
  { field: 'lastLoginAt', width: 180 },
  { field: 'createdAt', width: 180 },
  { field: 'gender', width: 80, hidden: true },
  { field: 'birthday', width: 120, hidden: true },
  { field: 'isLecturer', width: 90, hidden: true },
  { field: 'isBlogger', width: 90, hidden: true },
  { field: 'hasPassword', width: 100, hidden: true },
  { field: 'linkedSchoolName', width: 200, hidden: true },
])

/** 学员管理: the customers of the operators' site. */
export const LearnersPage = () => {
  const table = useQueryTable(listLearners)
  const call = useCall()
  const form = useDrawer<Detail>()
  const right = useDrawer<Learner>()
  const vip = useDrawer<Learner>()
  const [password, setPassword] = useState<string>()
  const opening = useMutation({
    mutationFn: (id: number) => call(viewLearner, { query: { id } }),
    onSuccess: (learner) => form.open(learner),
  })
  const resetting = useAction(resetLearnerPassword, { onDone: (answer) => setPassword(answer.password) })
  const reset = async (row: Learner) => {
    const question = {
      title: `重置“${nameOf(row)}”的密码？`,
      content: '生成随机密码并只显示一次，学员会立即退出，登录后须修改。',
      okText: '重置密码',
      danger: true,
    }
    if (await confirm(question)) resetting.mutate({ body: { id: row.id, version: row.version } })
  }
  return (
    <Page title="学员管理" help="平台网站的学员；停用后立即退出登录，订单和权益保留。" personal>
      <FilterBar table={table}>
        <TextFilter of={listLearners} field="nickname" />
        <TextFilter of={listLearners} field="phone" placeholder="完整的11位手机号" />
        <EnumFilter of={listLearners} field="source" />
        <EnumFilter of={listLearners} field="memberState" />
        <EnabledFilter of={listLearners} field="enabled" />
        <DateRangeFilter of={listLearners} from="createdFrom" to="createdTo" label="注册日期" />
        <NumberFilter of={listLearners} field="learnerId" placeholder="完整的编号" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={saveLearner}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增学员
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importLearners} template={fetchLearnerImportTemplate} what="学员" />
            <ExportButton do={exportLearners} table={table} />
          </>
        }
        file={(row) => <LearnerFile id={row.id} />}
        actionsWidth={240}
        actions={(row) => [
          { label: '编辑', do: editLearner, onClick: () => opening.mutate(row.id) },
          {
            label: '开通会员',
            do: grantLearnerVip,
            disabled: row.enabled ? undefined : '该学员已停用，请先启用',
            onClick: () => vip.open(row),
          },
          {
            label: '赠送权益',
            do: grantLearnerRight,
            disabled: row.enabled ? undefined : '该学员已停用，请先启用',
            onClick: () => right.open(row),
          },
          { label: '重置密码', do: resetLearnerPassword, danger: true, onClick: () => reset(row) },
          switching(changeLearnerStatus, { ...row, name: nameOf(row) }, '学员会立即退出登录，启用前不能再登录。'),
        ]}
        empty="还没有学员。学员在网站注册，也可以新增或导入。"
      />
      <LearnerForm key={form.key} {...form.props} />
      <RightForm key={`right-${right.key}`} {...right.props} />
      <VipForm key={`vip-${vip.key}`} {...vip.props} />
      {password && (
        <ShownOnce
          title="新密码"
          warning="只显示这一次，请保存后交给本人"
          content="密码为随机生成，学员登录后须修改。"
          text={password}
          name="新密码"
          onClose={() => setPassword(undefined)}
        >
          <Typography.Text code>{password}</Typography.Text>
        </ShownOnce>
      )}
    </Page>
  )
}
