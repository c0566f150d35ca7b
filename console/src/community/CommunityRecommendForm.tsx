import { Form } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { ClearingSelect } from '@/kit/ClearingSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editCommunityRecommend, saveCommunityRecommend, viewCommunityRecommend } from './api'
import { ContentSelect } from './ContentSelect'

type Recommend = RowOf<typeof viewCommunityRecommend>

const Field = fieldsOf(saveCommunityRecommend)

/** 推荐: a blog, a question or a blogger before others, at one place of the community. */
export const CommunityRecommendForm = ({ record, ...drawer }: DrawerProps<Recommend>) => (
  <FormDrawer<Recommend, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑推荐 ${record.name}` : '新增推荐'}
    initial={{ refType: 'blog', position: 'home', sort: 1, enabled: true }}
    action={(row) =>
      row ? formAction(editCommunityRecommend, '已保存推荐', row) : formAction(saveCommunityRecommend, '已新增推荐')
    }
    reload={(row, call) => call(viewCommunityRecommend, { query: { id: row.id } })}
    keep={['refType', 'position']}
  >
    <Field name="refType">
      <ClearingSelect options={saveCommunityRecommend.fields.refType?.options} clears={['refId']} />
    </Field>
    <Form.Item noStyle shouldUpdate>
      {({ refType = 'blog' }: Partial<Recommend>) => (
        <Field name="refId" label="内容">
          <ContentSelect
            kind={refType}
            known={record?.refType === refType ? { id: record.refId, name: record.name } : undefined}
          />
        </Field>
      )}
    </Form.Item>
    <Field name="position" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)
