/// <reference types="vite/client" />
declare module 'virtual:arco.css'
declare module '@arco-design/color' {
  export function generate(color: string, options: { list: true; dark?: boolean; format?: 'rgb' | 'hex' }): string[]
  export function getRgbStr(color: string): string
}
