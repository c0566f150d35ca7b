import { request } from '@/api/client'
import { allows, useIdentity } from '@/api/identity'
import { placeOfOrder } from '@/catalogue/places'
import { labelOf } from '@/kit/labels'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listOrders } from './api'
import { askedOrders } from './asked'

const MOST = 8

/** An order that the palette found. */
interface FoundOrder {
  id: number
  name: string
  about: string
  /** The list of orders with this one's file open. */
  to: string
}

/** The newest orders of a phone, or that of a number, as the list's own search finds them; none without its right. */
export const findOrders = async (wanted: string, signal: AbortSignal): Promise<FoundOrder[]> => {
  const asked = askedOrders(wanted)
  if (!asked || !allows(useIdentity.getState().permissions, listOrders)) return []
  const body = { pageCurrent: FIRST_PAGE, pageSize: MOST, ...asked }
  const { list } = await request(listOrders, { body }, { signal })
  return list.map(({ id, orderNo, productName, orderStatus }) => ({
    id,
    name: orderNo,
    about: [productName, labelOf(listOrders, 'orderStatus', orderStatus)].join(' · '),
    to: placeOfOrder(orderNo, id),
  }))
}
