import type { DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { countArchives, listArchives, listCertificates } from './api'

export type Certificate = RowOf<typeof listCertificates>
export type Archive = RowOf<typeof listArchives>

export type SiteStat = DataOf<typeof countArchives>[number]

/** 齐全度 of each site: how many of its archives lack nothing, in percent and in words. */
export const completenessOf = (sites: readonly SiteStat[]) =>
  sites.map(({ siteName, collecting, complete, sealed, handedOver }) => {
    const whole = complete + sealed + handedOver
    const all = whole + collecting
    return { name: `${siteName}（${whole}/${all}）`, value: all === 0 ? 0 : Math.floor((whole * 100) / all) }
  })

export const certificateTones: Partial<Record<Certificate['status'], Tone>> = {
  allocated: 'quiet',
  printed: 'busy',
  issued: 'good',
  voided: 'bad',
}

export const archiveTones: Partial<Record<Archive['status'], Tone>> = {
  collecting: 'warning',
  complete: 'busy',
  sealed: 'good',
  handed_over: 'good',
}

/** Why something cannot be done now; nothing where it can. */
export const can = {
  issue: ({ status, imported }: Pick<Certificate, 'status' | 'imported'>) =>
    status === 'printed' || (status === 'allocated' && imported) ? undefined : '打印以后、没有发放的可以发放',
  void: ({ status }: Pick<Certificate, 'status'>) => (status === 'voided' ? '证书已作废' : undefined),
  reissue: ({ status }: Pick<Certificate, 'status'>) =>
    status === 'issued' ? undefined : '已发放的证书才能补办证明书',
  fill: ({ status }: Pick<Archive, 'status'>) =>
    status === 'collecting' || status === 'complete' ? undefined : '档案已归档，不能修改',
  seal: ({ status }: Pick<Archive, 'status'>) =>
    status === 'complete' ? undefined : status === 'collecting' ? '材料还没有备齐' : '档案已归档',
  unseal: ({ status }: Pick<Archive, 'status'>) => (status === 'sealed' ? undefined : '只有已归档的可以取消'),
  download: ({ status }: Pick<Archive, 'status'>) =>
    status === 'sealed' || status === 'handed_over' ? undefined : '归档以后才有全卷可以下载',
  handOver: ({ status }: Pick<Archive, 'status'>) => (status === 'sealed' ? undefined : '归档以后才能移交'),
}
