import { Button, Dropdown, Menu } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { listStudents, packStudentPhotos } from './api'

type Wanted = BodyOf<typeof packStudentPhotos>

const kinds = listStudents.fields.photoMissing?.options ?? []

interface ExportPhotosProps {
  table: { body: { pageCurrent: number; pageSize: number } & Omit<Wanted, 'kind'>; total: number }
}

/** 导出照片: the photos of one kind of the students that the list shows, as an archive that a job makes. */
export const ExportPhotos = ({ table }: ExportPhotosProps) => {
  const request = useRequest()
  const packing = useMutation({
    mutationFn: (kind: Wanted['kind']) => {
      const { pageCurrent: _page, pageSize: _size, ...filter } = table.body
      return request(packStudentPhotos, { body: { ...filter, kind } })
    },
    onSuccess: () => {
      tellSuccess('正在打包照片，完成后请在任务中心下载')
      refetchAll()
    },
  })
  const menu = (
    <Menu onClickMenuItem={(kind) => packing.mutate(kind as Wanted['kind'])}>
      {kinds.map(([kind, label]) => (
        <Menu.Item key={kind}>{label}</Menu.Item>
      ))}
    </Menu>
  )
  return (
    <Can do={packStudentPhotos}>
      <Dropdown droplist={menu} trigger="click" disabled={table.total === 0}>
        <Button icon={<IconDownload />} loading={packing.isPending} disabled={table.total === 0}>
          导出照片
        </Button>
      </Dropdown>
    </Can>
  )
}
