import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, SelectFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeResourceCourseStatus,
  changeResourcePutaway,
  deleteResourceCourse,
  deleteResourceCourses,
  editResourceCourse,
  exportResourceCourses,
  listResourceCategories,
  listResourceCourses,
  saveRecommend,
  saveResourceCourse,
  viewResourceCourse,
} from './api'
import { flat, useCategories, useLecturers } from './choices'
import { sizeOf, yuanOf } from './courseContent'
import { type RecommendDraft, RecommendForm } from './RecommendForm'
import { ResourceCourseForm } from './ResourceCourseForm'
import { auditTones } from './tones'

type View = RowOf<typeof viewResourceCourse>

const columns = columnsOf(listResourceCourses, [
  { field: 'courseName', width: 220, fixed: 'left' },
  { field: 'putaway', title: '上架', width: 80, fixed: 'left', tones: { on: 'good', off: 'quiet' } },
  { field: 'auditStatus', title: '审核', width: 90, fixed: 'left', tones: auditTones },
  { field: 'enabled', fixed: 'left' },
  {
    field: 'cover',
    width: 130,
    render: ({ cover, courseName }) => <img className="banner-thumb" src={cover} alt={courseName} loading="lazy" />,
  },
  { field: 'categoryName', title: '分类', width: 110 },
  { field: 'lecturerName', title: '讲师', width: 90 },
  { field: 'priceOriginal', title: '原价(元)', width: 100, render: ({ priceOriginal }) => yuanOf(priceOriginal) },
  {
    field: 'priceSale',
    title: '优惠价(元)',
    width: 110,
    render: ({ isFree, priceSale }) => (isFree ? '免费' : yuanOf(priceSale)),
  },
  { field: 'resourceExt', title: '类型', width: 80 },
  { field: 'resourcePages', width: 70 },
  { field: 'resourceSize', title: '大小', width: 100, render: ({ resourceSize }) => sizeOf(resourceSize) },
  { field: 'downloadCount', width: 80 },
  { field: 'countBuy', title: '购买', width: 80, help: '实际购买数；网站显示的再加上购买基数' },
  { field: 'scoreAvg', title: '评分', width: 70 },
  { field: 'recommended', width: 90 },
  { field: 'revisionStatus', width: 110, tones: auditTones, help: '还没有通过审核的版本；已发布的内容不受影响' },
  { field: 'countBuyBase', hidden: true },
  { field: 'scoreCount', hidden: true },
  { field: 'auditOpinion', width: 200, hidden: true },
  { field: 'validDays', hidden: true, render: ({ validDays }) => (validDays ? `${validDays}天` : '永久有效') },
  { field: 'createdAt', hidden: true },
])

/** 文库资源: files that are sold, as the operator publishes them. */
export const ResourceCoursesPage = () => {
  const table = useQueryTable(listResourceCourses)
  const call = useCall()
  const form = useDrawer<View>()
  const recommend = useDrawer<RecommendDraft>()
  const categories = useCategories(listResourceCategories)
  const lecturers = useLecturers()
  const opening = useMutation({
    mutationFn: (id: number) => call(viewResourceCourse, { query: { id } }),
    onSuccess: (course) => form.open(course),
  })
  return (
    <Page title="文库资源" help="上传资源文件后才能上架；修改提交审核后，通过前已发布的内容不变。">
      <FilterBar table={table}>
        <TextFilter of={listResourceCourses} field="courseName" />
        <SelectFilter
          of={listResourceCourses}
          field="categoryId"
          label="资源分类"
          options={flat(categories.data ?? [])}
        />
        <SelectFilter
          of={listResourceCourses}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <SelectFilter
          of={listResourceCourses}
          field="isFree"
          label="收费"
          options={[
            { value: 'false', label: '收费' },
            { value: 'true', label: '免费' },
          ]}
        />
        <EnumFilter of={listResourceCourses} field="resourceExt" />
        <EnumFilter of={listResourceCourses} field="putaway" />
        <EnumFilter of={listResourceCourses} field="auditStatus" />
        <YesNoFilter of={listResourceCourses} field="recommended" />
        <EnabledFilter of={listResourceCourses} field="enabled" />
        <DateRangeFilter of={listResourceCourses} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(course) => course.courseName}
        primary={
          <Can do={saveResourceCourse}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增资源
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportResourceCourses} table={table} />}
        bulk={[
          bulkStep(deleteResourceCourses, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('资源'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewResourceCourse, 'online_course')}
        actionsWidth={240}
        actions={(course) => [
          {
            label: '编辑',
            do: editResourceCourse,
            disabled: course.revisionStatus === 'pending' ? '该资源有待审核版本' : undefined,
            onClick: () => opening.mutate(course.id),
          },
          course.putaway === 'on'
            ? step(changeResourcePutaway, {
                label: '下架',
                with: { body: { id: course.id, putaway: 'off', version: course.version } },
                confirm: { title: `下架“${course.courseName}”？`, content: '网站不再展示，已购买的学员不受影响。' },
                done: `已下架“${course.courseName}”`,
                undo: () =>
                  undoBy(changeResourcePutaway, {
                    body: { id: course.id, putaway: 'on', version: course.version + 1 },
                  }),
              })
            : step(changeResourcePutaway, {
                label: '上架',
                with: { body: { id: course.id, putaway: 'on', version: course.version } },
                disabled: course.auditStatus === 'approved' ? undefined : '资源尚未审核通过',
                done: `已上架“${course.courseName}”`,
                undo: () =>
                  undoBy(changeResourcePutaway, {
                    body: { id: course.id, putaway: 'off', version: course.version + 1 },
                  }),
              }),
          {
            label: '推荐',
            do: saveRecommend,
            onClick: () => recommend.open({ course: { id: course.id, name: course.courseName, kind: 'resource' } }),
          },
          switching(changeResourceCourseStatus, { ...course, name: course.courseName }, '停用后网站不再展示。'),
          removal(deleteResourceCourse, { id: course.id, name: course.courseName }),
        ]}
        empty="还没有文库资源。先在“文库分类”“讲师管理”中做好准备，再新增资源。"
      />
      <ResourceCourseForm key={form.key} {...form.props} />
      <RecommendForm key={`recommend-${recommend.key}`} {...recommend.props} />
    </Page>
  )
}
