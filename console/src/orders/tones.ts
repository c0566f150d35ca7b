import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listOrders } from './api'

/** The states of orders and of what became of their money. */
export const orderTones: Record<RowOf<typeof listOrders>['orderStatus'], Tone> = {
  pending: 'busy',
  paid: 'good',
  refunding: 'busy',
  refunded: 'quiet',
  closed: 'quiet',
}
