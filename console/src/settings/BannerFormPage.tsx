import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { PictureUpload } from '@/kit/PictureUpload'
import { paths } from '@/paths'
import { editBanner, saveBanner, viewBanner } from './api'

type Banner = RowOf<typeof viewBanner>

const Field = fieldsOf(saveBanner)

const Form = ({ banner }: { banner?: Banner }) => (
  <FormPage
    title={banner ? `编辑横幅 ${banner.title}` : '新增横幅'}
    help="开始和结束留空表示不限；到结束时间的那一刻不再展示。"
    record={banner}
    initial={{ target: 'self', terminal: 'pc', position: 'home', sort: 1, enabled: true }}
    list={paths.banners}
    action={(row) => (row ? formAction(editBanner, '已保存横幅', row) : formAction(saveBanner, '已新增横幅'))}
    reload={(row) => call(viewBanner, { query: { id: row.id } })}
  >
    <Field name="title" />
    <Field name="linkUrl" />
    <Field name="imageUrl" help="">
      <PictureUpload />
    </Field>
    <Field name="position" />
    <Field name="terminal" />
    <Field name="beginsAt" />
    <Field name="endsAt" />
    <Field name="target" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormPage>
)

export const NewBannerPage = () => <Form />

export const EditBannerPage = () => {
  const id = Number(new URLSearchParams(useLocation().search).get('id'))
  const view = () => call(viewBanner, { query: { id } })
  const query = useQuery({ queryKey: [viewBanner.path, id], queryFn: view, gcTime: 0 })
  return <Loaded query={query}>{(banner) => <Form key={banner.id} banner={banner} />}</Loaded>
}
