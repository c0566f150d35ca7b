import { listOptions } from '@/api/infra'
import { basicOptions } from '@/basic_data/BasicSelect'

export const managers = { options: listOptions, query: basicOptions('classManager') }
