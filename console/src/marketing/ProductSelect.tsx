import { InputNumber, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { yuanOf } from '@/catalogue/courseContent'
import { nothingFound } from '@/kit/nothingFound'
import { useSettled } from '@/kit/useSettled'
import { listOf, type ProductKind, productsOf } from './products'

/** Products of a kind by part of their name, as choices with their prices. */
const useProducts = (kind: ProductKind | undefined) => {
  const request = useRequest()
  const allowed = useAllowed()
  const [text, setText] = useState('')
  const name = useSettled(text) || undefined
  const list = kind && listOf(kind)
  const mayList = list !== undefined && allowed(list)
  const found = useQuery({
    queryKey: [list?.path, 'products', name],
    queryFn: ({ signal }) => (kind ? productsOf(request, kind, name, signal) : []),
    enabled: mayList,
  })
  const options = (found.data ?? []).map(({ id, name: words, price }) => ({
    value: id,
    label: `${words}（${yuanOf(price)}元）`,
  }))
  const none = '没有找到商品，请换一个词'
  const nothing = list ? nothingFound(list, mayList, found.error, none) : none
  const priceOf = (id: number | undefined) => found.data?.find((product) => product.id === id)?.price
  return { mayList, options, priceOf, setText, loading: found.isFetching, nothing }
}

interface Named {
  id: number
  name: string
}

export interface ProductSelectProps {
  kind: ProductKind | undefined
  /** The chosen one, which may not be among the first. */
  known?: Named
  value?: number
  onChange?: (id: number | undefined) => void
  /** Gets the price of the one that is chosen, in 分. */
  onPrice?: (fen: number) => void
  'aria-label'?: string
}

/** A product; whoever may not look at the products types its number. */
export const ProductSelect = ({ kind, known, value, onChange, onPrice, ...named }: ProductSelectProps) => {
  const { mayList, options, priceOf, setText, loading, nothing } = useProducts(kind)
  if (!mayList) {
    return (
      <InputNumber
        {...named}
        min={1}
        precision={0}
        hideControl
        placeholder="商品编号"
        value={value}
        onChange={onChange}
      />
    )
  }
  const all =
    known && value === known.id && !options.some((each) => each.value === known.id)
      ? [{ value: known.id, label: known.name }, ...options]
      : options
  return (
    <Select
      {...named}
      placeholder="请选择商品"
      showSearch
      filterOption={false}
      loading={loading}
      value={value}
      onChange={(id?: number) => {
        onChange?.(id)
        const price = priceOf(id)
        if (price !== undefined) onPrice?.(price)
      }}
      onSearch={setText}
      notFoundContent={nothing}
      options={all}
    />
  )
}

interface ProductsSelectProps {
  kind: ProductKind | undefined
  known: readonly Named[]
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** Several products of a kind. */
export const ProductsSelect = ({ kind, known, value, onChange, ...named }: ProductsSelectProps) => {
  const { options, setText, loading, nothing } = useProducts(kind)
  const others = known.filter(({ id }) => value?.includes(id) && !options.some((each) => each.value === id))
  return (
    <Select
      {...named}
      mode="multiple"
      placeholder="请选择商品"
      filterOption={false}
      loading={loading}
      value={value ?? []}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={nothing}
      options={[...others.map(({ id, name }) => ({ value: id, label: name })), ...options]}
    />
  )
}
