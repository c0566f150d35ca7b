interface Priced {
  priceOriginal: number
  priceSale: number
  vipDiscount: number
  couponDiscount: number
  pricePaid: number
  couponName?: string | null
  seckillName?: string | null
  orderStatus: string
}

/** A step of a price, in 分; what takes off is below nothing. */
interface PriceLine {
  label: string
  fen: number
}

const named = (label: string, name: string | null | undefined) => (name ? `${label}（${name}）` : label)

/** How the price of an order came about: the lines before the last one add up to it. */
export const priceLines = (order: Priced): PriceLine[] => {
  const { priceOriginal, priceSale, vipDiscount, couponDiscount, pricePaid, couponName, seckillName, orderStatus } =
    order
  const rest = pricePaid - (priceSale - vipDiscount - couponDiscount)
  const lines = [
    { label: '原价', fen: priceOriginal },
    { label: '优惠', fen: priceSale - priceOriginal },
    { label: '会员优惠', fen: -vipDiscount },
    { label: named('优惠券', couponName), fen: -couponDiscount },
    { label: seckillName ? named('秒杀', seckillName) : '后台定价', fen: rest },
  ]
  const isPaid = orderStatus !== 'pending' && orderStatus !== 'closed'
  return [...lines.filter(({ fen }, at) => at === 0 || fen !== 0), { label: isPaid ? '实付' : '应付', fen: pricePaid }]
}
