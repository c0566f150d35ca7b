import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, SelectFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formatSpan } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import { listSiteProgress } from '@/site_study/api'
import {
  changeLiveCourseStatus,
  changeLivePutaway,
  deleteLiveCourse,
  deleteLiveCourses,
  editLiveCourse,
  exportLiveCourses,
  listLiveCategories,
  listLiveCourses,
  saveLiveCourse,
  saveRecommend,
  viewLiveCourse,
} from './api'
import { flat, useCategories, useLecturers } from './choices'
import { yuanOf } from './courseContent'
import { LiveCourseForm } from './LiveCourseForm'
import { type RecommendDraft, RecommendForm } from './RecommendForm'
import { auditTones } from './tones'

type View = RowOf<typeof viewLiveCourse>

const columns = columnsOf(listLiveCourses, [
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
  { field: 'nextStartsAt', width: 170 },
  { field: 'liveStanding', width: 100, tones: { none: 'quiet', waiting: 'busy', living: 'good', ended: 'quiet' } },
  { field: 'periodTotal', title: '课时', width: 70 },
  { field: 'countBuy', title: '购买', width: 80, help: '实际购买数；网站显示的再加上购买基数' },
  { field: 'scoreAvg', title: '评分', width: 70 },
  { field: 'recommended', width: 90 },
  { field: 'revisionStatus', width: 110, tones: auditTones, help: '还没有通过审核的版本；已发布的内容不受影响' },
  {
    field: 'durationSeconds',
    title: '总时长',
    hidden: true,
    render: ({ durationSeconds }) => formatSpan(durationSeconds),
  },
  { field: 'countBuyBase', hidden: true },
  { field: 'scoreCount', hidden: true },
  { field: 'auditOpinion', width: 200, hidden: true },
  { field: 'validDays', hidden: true, render: ({ validDays }) => (validDays ? `${validDays}天` : '永久有效') },
  { field: 'createdAt', hidden: true },
])

/** 直播课程: courses that are given at a time, as the operator publishes them. */
export const LiveCoursesPage = () => {
  const table = useQueryTable(listLiveCourses)
  const call = useCall()
  const navigate = useNavigate()
  const form = useDrawer<View>()
  const recommend = useDrawer<RecommendDraft>()
  const categories = useCategories(listLiveCategories)
  const lecturers = useLecturers()
  const opening = useMutation({
    mutationFn: (id: number) => call(viewLiveCourse, { query: { id } }),
    onSuccess: (course) => form.open(course),
  })
  return (
    <Page
      title="直播课程"
      help="课程有课时才能上架；同一频道的课时时间不能重叠；修改提交审核后，通过前已发布的内容不变。"
    >
      <FilterBar table={table}>
        <TextFilter of={listLiveCourses} field="courseName" />
        <SelectFilter of={listLiveCourses} field="categoryId" label="课程分类" options={flat(categories.data ?? [])} />
        <SelectFilter
          of={listLiveCourses}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <SelectFilter
          of={listLiveCourses}
          field="isFree"
          label="收费"
          options={[
            { value: 'false', label: '收费' },
            { value: 'true', label: '免费' },
          ]}
        />
        <EnumFilter of={listLiveCourses} field="liveStanding" />
        <EnumFilter of={listLiveCourses} field="putaway" />
        <EnumFilter of={listLiveCourses} field="auditStatus" />
        <YesNoFilter of={listLiveCourses} field="recommended" />
        <EnabledFilter of={listLiveCourses} field="enabled" />
        <DateRangeFilter of={listLiveCourses} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(course) => course.courseName}
        primary={
          <Can do={saveLiveCourse}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增课程
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportLiveCourses} table={table} />}
        bulk={[
          bulkStep(deleteLiveCourses, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('课程'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewLiveCourse, 'online_course')}
        actionsWidth={240}
        actions={(course) => [
          {
            label: '编辑',
            do: editLiveCourse,
            disabled: course.revisionStatus === 'pending' ? '该课程有待审核版本' : undefined,
            onClick: () => opening.mutate(course.id),
          },
          course.putaway === 'on'
            ? step(changeLivePutaway, {
                label: '下架',
                with: { body: { id: course.id, putaway: 'off', version: course.version } },
                confirm: { title: `下架“${course.courseName}”？`, content: '网站不再展示，已购买的学员不受影响。' },
                done: `已下架“${course.courseName}”`,
                undo: () =>
                  undoBy(changeLivePutaway, { body: { id: course.id, putaway: 'on', version: course.version + 1 } }),
              })
            : step(changeLivePutaway, {
                label: '上架',
                with: { body: { id: course.id, putaway: 'on', version: course.version } },
                disabled: course.auditStatus === 'approved' ? undefined : '课程尚未审核通过',
                done: `已上架“${course.courseName}”`,
                undo: () =>
                  undoBy(changeLivePutaway, { body: { id: course.id, putaway: 'off', version: course.version + 1 } }),
              }),
          {
            label: '推荐',
            do: saveRecommend,
            onClick: () => recommend.open({ course: { id: course.id, name: course.courseName, kind: 'live' } }),
          },
          {
            label: '学员',
            do: listSiteProgress,
            onClick: () => navigate(`${paths.siteProgress}?courseId=${course.id}`),
          },
          switching(changeLiveCourseStatus, { ...course, name: course.courseName }, '停用后网站不再展示。'),
          removal(deleteLiveCourse, { id: course.id, name: course.courseName }),
        ]}
        empty="还没有直播课程。先在“直播分类”“直播频道”“讲师管理”中做好准备，再新增课程。"
      />
      <LiveCourseForm key={form.key} {...form.props} />
      <RecommendForm key={`recommend-${recommend.key}`} {...recommend.props} />
    </Page>
  )
}
