import { Button, Checkbox, Dropdown, Input, Menu, Modal } from '@arco-design/web-react'
import { IconDelete, IconDownload, IconPushpin, IconShareAlt, IconTags } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { call } from '@/api/client'
import { fieldErrors, tellSuccess } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { deleteSavedView, editSavedView, pinSavedView, saveSavedView, shareSavedView } from '@/api/infra'
import type { OperationMeta } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { confirm } from './confirm'
import { placeOf, type SavedView, useSavedViews, viewQuery } from './savedViews'
import { useShownColumns } from './shownColumns'
import { useViewExport } from './viewExport'

const MOST_NAME = 30

interface NamingProps {
  operation: OperationMeta
  /** The view that is open, where it is one's own. */
  current: SavedView | undefined
  onClose: () => void
}

/** Asks for the name under which filters, order and columns are kept. */
const Naming = ({ operation, current, onClose }: NamingProps) => {
  const allowed = useAllowed()
  const shown = useShownColumns()
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const [name, setName] = useState(current?.name ?? '')
  const [shared, setShared] = useState(current?.shared ?? false)
  const [pinned, setPinned] = useState(current?.pinned ?? false)
  const [refusal, setRefusal] = useState<string>()
  const saving = useMutation({
    mutationFn: async (again: SavedView | undefined) => {
      const body = {
        list: operation.id,
        name: name.trim(),
        path: pathname,
        query: viewQuery(search),
        columns: [...(shown?.keys ?? [])],
      }
      const { id } = again
        ? await call(editSavedView, { body: { ...body, id: again.id, version: again.version } })
        : await call(saveSavedView, { body })
      if (pinned !== (again?.pinned ?? false)) await call(pinSavedView, { body: { id, pinned } })
      if (shared !== (again?.shared ?? false)) await call(shareSavedView, { body: { id, shared } })
    },
    onSuccess: async () => {
      await refetchAll()
      tellSuccess('已保存视图')
      onClose()
    },
    onError: (error) => setRefusal(fieldErrors(error)[0]?.message),
  })
  const save = (again: SavedView | undefined) => {
    if (name.trim()) saving.mutate(again)
    else setRefusal('请输入名称')
  }
  return (
    <Modal
      title="保存为视图"
      style={{ width: 440 }}
      visible
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          {current && (
            <Button loading={saving.isPending} onClick={() => save(current)}>
              更新“{current.name}”
            </Button>
          )}
          <Button type="primary" loading={saving.isPending} onClick={() => save(undefined)}>
            保存
          </Button>
        </>
      }
    >
      <p className="dialog-lead">保存当前的筛选、排序和显示的列。</p>
      <Input
        aria-label="视图名称"
        placeholder="例如 2026级校本部未分班"
        autoFocus
        maxLength={MOST_NAME}
        error={refusal !== undefined}
        value={name}
        onChange={setName}
        onPressEnter={() => save(undefined)}
      />
      {refusal && (
        <p role="alert" className="view-refusal">
          {refusal}
        </p>
      )}
      <p className="view-choices">
        <Checkbox checked={pinned} onChange={setPinned}>
          固定在菜单
        </Checkbox>
        {allowed(shareSavedView) && (
          <Checkbox checked={shared} onChange={setShared}>
            共享给同事
          </Checkbox>
        )}
      </p>
    </Modal>
  )
}

/** 视图: filters, order and columns of this list under a name; one's own and what colleagues share. */
export const SavedViews = ({ operation }: { operation: OperationMeta }) => {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const shown = useShownColumns()
  const views = (useSavedViews().data ?? []).filter(({ list }) => list === operation.id)
  const [naming, setNaming] = useState(false)
  const [listed, setListed] = useState(false)
  const exportable = useViewExport(({ offered }) => offered.includes(operation.id))
  const current = views.find(({ id }) => String(id) === search.get('view'))
  // A view brings its columns with it, once, when it is opened.
  const [worn, setWorn] = useState<string>()
  const wanted = current && `${current.id}.${current.version}`
  useEffect(() => {
    if (wanted === worn) return
    setWorn(wanted)
    if (current && current.columns.length > 0) shown?.show(current.columns)
  }, [wanted, worn, current, shown])

  const changing = useMutation({
    mutationFn: async ({ key, view }: { key: string; view: SavedView }) => {
      if (key === 'pin') await call(pinSavedView, { body: { id: view.id, pinned: !view.pinned } })
      else if (key === 'share') await call(shareSavedView, { body: { id: view.id, shared: !view.shared } })
      else await call(deleteSavedView, { query: { id: view.id } })
    },
    onSuccess: () => refetchAll(),
  })
  const allowed = useAllowed()
  const remove = async (view: SavedView) => {
    const content = view.shared ? '同事也不再看到它。' : undefined
    if (await confirm({ title: `删除视图“${view.name}”？`, content, okText: '删除', danger: true }))
      changing.mutate({ key: 'delete', view })
  }
  return (
    <>
      <Dropdown
        trigger="click"
        position="br"
        popupVisible={listed}
        onVisibleChange={setListed}
        droplist={
          <Menu
            className="views-menu"
            selectedKeys={current ? [String(current.id)] : []}
            onClickMenuItem={(key) => {
              setListed(false)
              const view = views.find(({ id }) => String(id) === key)
              if (view) navigate(placeOf(view))
              else setNaming(true)
            }}
          >
            {views.map((view) => (
              <Menu.Item key={String(view.id)}>
                <span className="view-entry">
                  <span title={view.name}>
                    {view.name}
                    {!view.mine && <small>{view.ownerName}</small>}
                    {view.mine && view.shared && <small>已共享</small>}
                  </span>
                  <Button
                    size="mini"
                    type={view.pinned ? 'primary' : 'text'}
                    aria-label={`${view.pinned ? '取消固定' : '固定'}${view.name}`}
                    title="固定在菜单"
                    icon={<IconPushpin />}
                    onClick={(event: Event) => {
                      event.stopPropagation()
                      changing.mutate({ key: 'pin', view })
                    }}
                  />
                  {exportable && (
                    <Button
                      size="mini"
                      type="text"
                      aria-label={`导出${view.name}`}
                      title="导出"
                      icon={<IconDownload />}
                      onClick={(event: Event) => {
                        event.stopPropagation()
                        setListed(false)
                        navigate(placeOf(view))
                        // Whoever put columns otherwise meanwhile still gets the view's.
                        if (view.columns.length > 0) shown?.show(view.columns)
                        useViewExport.setState({ wanted: view.id })
                      }}
                    />
                  )}
                  {view.mine && allowed(shareSavedView) && (
                    <Button
                      size="mini"
                      type={view.shared ? 'primary' : 'text'}
                      aria-label={`${view.shared ? '取消共享' : '共享'}${view.name}`}
                      title="共享给同事"
                      icon={<IconShareAlt />}
                      onClick={(event: Event) => {
                        event.stopPropagation()
                        changing.mutate({ key: 'share', view })
                      }}
                    />
                  )}
                  {view.mine && (
                    <Button
                      size="mini"
                      type="text"
                      aria-label={`删除${view.name}`}
                      icon={<IconDelete />}
                      onClick={(event: Event) => {
                        event.stopPropagation()
                        remove(view)
                      }}
                    />
                  )}
                </span>
              </Menu.Item>
            ))}
            <Menu.Item key="save">保存当前为视图…</Menu.Item>
          </Menu>
        }
      >
        <Button type={current ? 'outline' : 'text'} icon={<IconTags />} aria-label="视图" title="视图">
          {current ? current.name : <span className="tool-words">视图</span>}
        </Button>
      </Dropdown>
      {naming && (
        <Naming operation={operation} current={current?.mine ? current : undefined} onClose={() => setNaming(false)} />
      )}
    </>
  )
}
