const browsers: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/i, '微信'],
  [/Edg\//, 'Edge'],
  [/QQBrowser/i, 'QQ浏览器'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS|OpenHarmony/i, '鸿蒙'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const named = (known: readonly (readonly [RegExp, string])[], agent: string) =>
  known.find(([rule]) => rule.test(agent))?.[1]

/** A browser's own long name in two words. */
export const deviceOf = (agent: string) =>
  [named(browsers, agent), named(systems, agent)].filter(Boolean).join(' · ') || '其他设备'
