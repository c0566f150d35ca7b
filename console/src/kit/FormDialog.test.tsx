// @vitest-environment happy-dom
import { Form, Input } from '@arco-design/web-react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import { confirm } from './confirm'
import { FormDialog } from './FormDialog'

vi.mock('./confirm', () => ({ confirm: vi.fn() }))

let root: Root
const action = vi.fn<(values: { reason: string }) => Promise<string>>()
const onDone = vi.fn()
const onClose = vi.fn()

const field = () => document.querySelector<HTMLInputElement>('.arco-form-item input')
const button = (words: string) =>
  [...document.querySelectorAll('button')].filter((each) => each.textContent === words).at(-1)
const press = (words: string) => act(async () => button(words)?.click())

const type = (words: string) =>
  act(async () => {
    const input = field()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, words)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })

const submit = () =>
  act(async () => {
    document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <FormDialog title="进入院校" okText="进入" action={action} onDone={onDone} onClose={onClose}>
          <Form.Item field="reason" label="原因" rules={[{ required: true, message: '请填写原因' }]}>
            <Input />
          </Form.Item>
        </FormDialog>
      </QueryClientProvider>,
    ),
  )
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.resetAllMocks()
})

it('is ready to be typed into', () => {
  expect(field()).not.toBeNull()
  expect(document.activeElement).toBe(field())
})

it('sends by Enter what is right, and nothing else', async () => {
  await submit()
  expect(action).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(document.body.textContent).toContain('请填写原因'))
  action.mockResolvedValue('done')
  await type('核对')
  await submit()
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith('done'))
  expect(action.mock.calls[0]?.[0]).toEqual({ reason: '核对' })
})

it('shows a refusal at its field', async () => {
  action.mockRejectedValue(new ApiError(422, '请检查', [{ field: 'reason', message: '原因太短' }]))
  await type('核')
  await press('进入')
  await vi.waitFor(() => expect(document.body.textContent).toContain('原因太短'))
  expect(onDone).not.toHaveBeenCalled()
})

it('shows what is wrong within a field at the field', async () => {
  action.mockRejectedValue(new ApiError(422, '请检查', [{ field: 'reason[0].key', message: '文件不存在' }]))
  await type('核对')
  await press('进入')
  await vi.waitFor(() => expect(document.body.textContent).toContain('文件不存在'))
})

it('tells what speaks against it until it is sent again', async () => {
  action.mockRejectedValueOnce(new ApiError(409, '院校已停用，不能进入'))
  await type('核对')
  await press('进入')
  await vi.waitFor(() => expect(document.querySelector('.form-conflict')?.textContent).toBe('院校已停用，不能进入'))
  action.mockResolvedValue('done')
  await press('进入')
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
  expect(document.querySelector('.form-conflict')).toBeNull()
})

it('closes without a question only while nothing was typed', async () => {
  await press('取消')
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(confirm).not.toHaveBeenCalled()
  await type('核对')
  vi.mocked(confirm).mockResolvedValueOnce(false)
  await press('取消')
  expect(confirm).toHaveBeenCalledTimes(1)
  expect(onClose).toHaveBeenCalledTimes(1)
  vi.mocked(confirm).mockResolvedValueOnce(true)
  await press('取消')
  expect(onClose).toHaveBeenCalledTimes(2)
})
