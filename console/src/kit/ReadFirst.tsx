import { Drawer } from '@arco-design/web-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { DialogName } from './DialogName'
import { Loaded } from './Loaded'

interface ReadFirstProps<Data> {
  title: string
  width: number
  visible: boolean
  onClose: () => void
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>
}

/** The drawer of a form while its record is read, and when it does not come. */
export const ReadFirst = <Data,>({ title, width, visible, onClose, query }: ReadFirstProps<Data>) => (
  <Drawer title={title} width={width} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
    <DialogName name={title} />
    <Loaded query={query}>{() => null}</Loaded>
  </Drawer>
)
