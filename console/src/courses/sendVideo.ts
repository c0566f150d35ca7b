import type { Caller } from '@/api/client'
import { ApiError, tellError, words } from '@/api/errors'
import { UploadState, type UploadStep } from '@/api/files'
import type { RowOf } from '@/api/operation'
import { uploadToAliyun, uploadToBaijiayun, uploadToPolyv } from '@/settings/api'

type Begun = RowOf<typeof uploadToAliyun>

/** Where videos are transcoded; which of them are open to the school stands in its configuration. */
export const channels = {
  aliyun: { label: '阿里云点播', begin: uploadToAliyun },
  polyv: { label: '保利威', begin: uploadToPolyv },
  baijiayun: { label: '百家云', begin: uploadToBaijiayun },
} as const
export type ChannelName = keyof typeof channels

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string')

/** The bytes, or a form with the ticket's fields before the file. */
const contentOf = ({ fields, fileField }: Begun, file: File) => {
  if (!fileField) return file
  const form = new FormData()
  for (const pair of Array.isArray(fields) ? fields : []) {
    if (Array.isArray(pair)) form.set(String(pair[0]), String(pair[1]))
  }
  form.set(fileField, file)
  return form
}

const transfer = (begun: Begun, file: File, onStep: (step: UploadStep) => void) =>
  new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(begun.method ?? 'PUT', begun.uploadUrl ?? '')
    for (const [name, value] of Object.entries(isTexts(begun.headers) ? begun.headers : {})) {
      request.setRequestHeader(name, value)
    }
    request.upload.onprogress = ({ loaded, total }) =>
      onStep({ state: UploadState.progress, percent: total ? Math.round((loaded / total) * 100) : 0 })
    request.onloadend = () => {
      if (request.status === 0) reject(new ApiError(0, words.network))
      else if (request.status >= 200 && request.status < 300) resolve()
      else reject(new ApiError(request.status, '文件上传失败，请重新上传'))
    }
    request.send(contentOf(begun, file))
  })

/** Sends a video straight to its channel; answers the number of its record. What failed was shown when this throws. */
export const sendVideo = async (channel: ChannelName, file: File, onStep: (step: UploadStep) => void, call: Caller) => {
  onStep({ state: UploadState.progress, percent: 0 })
  const title = file.name.replace(/\.[^.]*$/, '').slice(0, 100)
  try {
    const begun = await call(channels[channel].begin, { body: { fileName: file.name, size: file.size, title } })
    await transfer(begun, file, onStep).catch((error) => {
      tellError(error instanceof Error ? error.message : words.rejected)
      throw error
    })
    return { code: begun.id, desc: title }
  } catch (error) {
    const isNetwork = error instanceof ApiError && error.code === 0
    const message = error instanceof Error ? error.message : words.rejected
    onStep({ state: isNetwork ? UploadState.network : UploadState.failure, message })
    throw error
  }
}
