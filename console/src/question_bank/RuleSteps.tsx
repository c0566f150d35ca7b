import { Alert, Drawer, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { DataOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { checkPaperRule, generatePapers, type listPaperRules } from './api'

type Rule = RowOf<typeof listPaperRules>
type Item = DataOf<typeof checkPaperRule>['items'][number]

/** 检查题量: whether the banks have enough for each item, all of them drawn together. */
export const CheckRule = ({ record: rule, visible, onClose }: DrawerProps<Rule>) => {
  const title = `检查题量 ${rule?.name ?? ''}`
  return (
    <Drawer title={title} width={760} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {rule && <Found id={rule.id} />}
    </Drawer>
  )
}

const Found = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [checkPaperRule.path, id],
    queryFn: ({ signal }) => request(checkPaperRule, { body: { id } }, { signal }),
    staleTime: 0,
  })
  return (
    <Loaded query={query} rows={4}>
      {({ feasible, items }) => (
        <>
          <Alert
            className="form-lead"
            type={feasible ? 'success' : 'warning'}
            content={feasible ? '题量充足，可以生成试卷' : '题量不足，请补充试题或调整抽题项'}
          />
          <Table
            rowKey="sortNo"
            size="small"
            border={{ wrapper: true }}
            pagination={false}
            data={items}
            columns={[
              { title: '项', dataIndex: 'sortNo', width: 50 },
              { title: '大题', dataIndex: 'title', width: 150 },
              { title: '条件', dataIndex: 'label' },
              { title: '需要', dataIndex: 'need', width: 70, align: 'right' },
              { title: '符合', dataIndex: 'eligible', width: 70, align: 'right' },
              { title: '可用', dataIndex: 'reachable', width: 70, align: 'right' },
              {
                title: '结果',
                dataIndex: 'message',
                width: 180,
                render: (message: Item['message']) =>
                  message ? <Word tone="bad">{message}</Word> : <Word tone="good">足够</Word>,
              },
            ]}
          />
          <p className="form-hint">“符合”是单独满足条件的题数；各项一起抽取、每题只用一次时能抽到的是“可用”。</p>
        </>
      )}
    </Loaded>
  )
}

const Field = fieldsOf(generatePapers)

/** 生成试卷 by a rule: so many papers, each in so many variants. */
export const GeneratePapers = ({ record: rule, ...drawer }: DrawerProps<Rule>) => (
  <FormDrawer<{ count?: number; variants?: number; overlapMaxPercent?: number }, DataOf<typeof generatePapers>>
    {...drawer}
    record={undefined}
    title={`生成试卷 ${rule?.name ?? ''}`}
    okText="生成"
    initial={{ count: 1, variants: 1, overlapMaxPercent: 100 }}
    action={() =>
      formAction(generatePapers, ({ ids, seed }) => `已生成${ids.length}份试卷，随机种子${seed}`, { id: rule?.id })
    }
  >
    <p className="form-hint">生成的试卷为草稿；相同的策略、种子和题库得到相同的试卷。</p>
    <Field name="count" label="份数" help="1至50" />
    <Field name="variants" label="卷数" help="每份生成几卷，1至6（A卷至F卷）" />
    <Field name="overlapMaxPercent" label="重复率上限" help="各卷之间相同试题的最高百分比" />
    <Field name="seed" label="随机种子" help="留空时随机" />
    <Field name="name" label="试卷名称" required={false} help="留空时按策略命名" />
  </FormDrawer>
)
