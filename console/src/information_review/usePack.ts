import { useMutation } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import type { BodyOf } from '@/api/operation'
import { useNamed } from '@/api/schoolContext'
import type { downloadAdmissionInformations } from './api'
import type { Group } from './groups'

type Wanted = BodyOf<typeof downloadAdmissionInformations>

/** 打包下载: printed forms and files of students, one folder each; why there are none the server says. */
export const usePack = ({ download: operation, title }: Pick<Group, 'download' | 'title'>) => {
  const named = useNamed()
  return useMutation({
    mutationFn: async ({ body, name }: { body: Wanted; name?: string }) => {
      tellSuccess('正在打包，文件较多时需要几分钟，请不要关闭页面')
      await download(operation, named(operation, { body }), `${title}${name ? ` ${name}` : ''}.zip`)
    },
    onSuccess: () => tellSuccess('已下载'),
  })
}
