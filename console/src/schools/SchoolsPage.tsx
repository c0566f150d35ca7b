import { Button, Progress } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createSchoolToken } from '@/accounts/api'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatBytes, formatNumber } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { ArchiveSchool } from './ArchiveSchool'
import {
  archiveSchool,
  copyFoundations,
  deleteSchool,
  editSchool,
  exportSchoolData,
  exportSchools,
  listSchools,
  restoreSchool,
  resumeSchool,
  retrySchoolProvision,
  saveSchool,
  suspendSchool,
  viewSchoolSetting,
} from './api'
import { CopyFoundations } from './CopyFoundations'
import { DeleteSchool } from './DeleteSchool'
import { EnterSchool } from './EnterSchool'
import { OpenSchool } from './OpenSchool'
import { SchoolForm } from './SchoolForm'
import { SuspendSchool } from './SuspendSchool'
import { can } from './schoolRules'

type School = RowOf<typeof listSchools>

/** How often a school that is being opened is looked at again. */
const OPENING_MS = 2000

const quotaOf = ({ studentCount, studentQuota }: School) => {
  const count = studentCount == null ? '—' : formatNumber(studentCount)
  return `${count} / ${studentQuota == null ? '不限' : formatNumber(studentQuota)}`
}

const storageOf = ({ storageUsed, storageQuotaGb }: School) =>
  `${formatBytes(storageUsed) || '—'} / ${storageQuotaGb == null ? '不限' : `${formatNumber(storageQuotaGb)} GB`}`

const columns = columnsOf(listSchools, [
  { field: 'name', width: 220, fixed: 'left' },
  {
    field: 'status',
    width: 80,
    fixed: 'left',
    tones: { trial: 'busy', active: 'good', suspended: 'bad', archived: 'quiet' },
  },
  {
    field: 'provisionState',
    width: 90,
    fixed: 'left',
    tones: { pending: 'quiet', running: 'busy', ready: 'good', failed: 'bad' },
  },
  { field: 'code', width: 110, under: 'name' },
  { field: 'demo', width: 100 },
  { field: 'domain', width: 180 },
  { field: 'statusReason', width: 160, hidden: true },
  { field: 'archivedAt', hidden: true },
  { field: 'provisionError', width: 200, hidden: true },
  {
    field: 'studentCount',
    title: '学生/配额',
    help: '占用配额的是学籍状态为在籍和休学的学生；首页等处的“在籍学生”另含待注册和超学制的学生',
    width: 150,
    render: quotaOf,
  },
  { field: 'siteCount', width: 90 },
  {
    field: 'storageUsed',
    title: '存储/配额',
    help: '照片、材料等文件占用的空间，与可用的上限；点播频道中的音视频不计',
    width: 170,
    render: storageOf,
  },
  { field: 'expiresOn', width: 120 },
  { field: 'lastActiveAt' },
  { field: 'contactName', width: 110 },
  { field: 'contactPhone', width: 140, hidden: true },
  { field: 'province', width: 100, hidden: true },
  { field: 'createdAt', hidden: true },
])

const DEMO = [
  { value: 'true', label: '仅演示院校' },
  { value: 'false', label: '不含演示院校' },
]

const isOpening = ({ provisionState }: School) => provisionState === 'pending' || provisionState === 'running'

/** 院校列表: where operators open, edit, stop and enter the schools. The model of every list page. */
export const SchoolsPage = () => {
  const table = useQueryTable(listSchools, { refetchInterval: (rows) => (rows.some(isOpening) ? OPENING_MS : false) })
  const edit = useDrawer<School>()
  const suspend = useDrawer<School>()
  const enter = useDrawer<School>()
  const archive = useDrawer<School>()
  const remove = useDrawer<School>()
  const copy = useDrawer<Pick<School, 'id' | 'name'>>()
  const navigate = useNavigate()
  const [opening, setOpening] = useState(false)

  return (
    <Page title="院校列表" help="开通院校，维护院校资料与服务期限，进入院校协助办理业务。">
      <FilterBar table={table}>
        <TextFilter of={listSchools} field="keyword" />
        <EnumFilter of={listSchools} field="status" />
        <EnumFilter of={listSchools} field="expiry" label="到期" />
        <TextFilter of={listSchools} field="province" />
        <EnumFilter of={listSchools} field="provisionState" />
        <SelectFilter of={listSchools} field="demo" label="演示院校" options={DEMO} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(school) => school.name}
        primary={
          <Can do={saveSchool}>
            <Button type="primary" icon={<IconPlus />} onClick={() => setOpening(true)}>
              新增院校
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportSchools} table={table} />}
        actionsWidth={210}
        actions={(school) => [
          { label: '进入院校', do: createSchoolToken, disabled: can.enter(school), onClick: () => enter.open(school) },
          { label: '编辑', do: editSchool, disabled: can.edit(school), onClick: () => edit.open(school) },
          ...(school.status === 'suspended'
            ? [
                step(resumeSchool, {
                  label: '恢复',
                  with: { query: { id: school.id } },
                  confirm: { title: `恢复“${school.name}”？`, content: '院校人员将可以重新登录。' },
                  done: `已恢复“${school.name}”`,
                }),
              ]
            : [
                {
                  label: '停用',
                  do: suspendSchool,
                  danger: true,
                  disabled: can.suspend(school),
                  onClick: () => suspend.open(school),
                },
              ]),
          {
            label: '设置',
            do: viewSchoolSetting,
            disabled: can.set(school),
            onClick: () => navigate(`${paths.schoolSettings}?id=${school.id}`),
          },
          ...(school.status === 'archived'
            ? [
                step(restoreSchool, {
                  label: '取消归档',
                  with: { query: { id: school.id } },
                  confirm: { title: `取消归档“${school.name}”？`, content: '院校恢复为归档前的状态。' },
                  done: `已取消归档“${school.name}”`,
                }),
              ]
            : [
                {
                  label: '归档',
                  do: archiveSchool,
                  danger: true,
                  disabled: can.archive(school),
                  onClick: () => archive.open(school),
                },
              ]),
          {
            label: '复制基础数据',
            do: copyFoundations,
            disabled: can.copy(school),
            onClick: () => copy.open(school),
          },
          step(exportSchoolData, {
            label: '导出数据',
            with: { query: { id: school.id } },
            disabled: can.exportData(school),
            confirm: {
              title: `导出“${school.name}”的全部数据？`,
              content: '含个人信息，不含文件内容。完成后在任务中心下载，保留7天。',
            },
            done: '已开始导出，进度见任务中心',
          }),
          step(exportSchoolData, {
            label: '连同文件导出',
            with: { query: { id: school.id, objects: true } },
            disabled: can.exportData(school),
            confirm: {
              title: `导出“${school.name}”的全部数据和文件？`,
              content: '含个人信息、照片和证件材料，文件较大。完成后在任务中心下载，保留7天。',
            },
            done: '已开始导出，进度见任务中心',
          }),
          {
            label: '删除',
            do: deleteSchool,
            danger: true,
            disabled: can.delete(school),
            onClick: () => remove.open(school),
          },
          ...(school.provisionState === 'failed'
            ? [
                step(retrySchoolProvision, {
                  label: '重试',
                  with: { query: { id: school.id } },
                  done: `已重新开始开通“${school.name}”`,
                }),
              ]
            : []),
        ]}
        detail={(school) =>
          isOpening(school) && (
            <p>
              正在开通：{school.provisionStep || '等待开始'} <Progress percent={0} animation showText={false} />
            </p>
          )
        }
        empty="还没有院校。点击“新增院校”开通第一所，约一分钟后即可登录。"
      />
      <SchoolForm key={`edit-${edit.key}`} {...edit.props} />
      <SuspendSchool key={`suspend-${suspend.key}`} {...suspend.props} />
      <EnterSchool key={`enter-${enter.key}`} {...enter.props} />
      <ArchiveSchool key={`archive-${archive.key}`} {...archive.props} />
      <DeleteSchool key={`delete-${remove.key}`} {...remove.props} />
      <CopyFoundations key={`copy-${copy.key}`} {...copy.props} />
      {opening && (
        <OpenSchool
          onClose={() => setOpening(false)}
          onCopy={(school) => {
            setOpening(false)
            copy.open(school)
          }}
        />
      )}
    </Page>
  )
}
