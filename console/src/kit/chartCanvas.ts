import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { type EChartsCoreOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

interface Pressed {
  seriesIndex?: number
  dataIndex?: number
}

/** Draws into a box and follows its size. This file is a chunk of its own, loaded when the first chart is seen. */
export const draw = (box: HTMLElement, option: EChartsCoreOption, onPress: (at: Pressed) => void) => {
  const chart = init(box, undefined, { renderer: 'svg' })
  chart.setOption(option)
  chart.on('click', (event) => onPress({ seriesIndex: event.seriesIndex, dataIndex: event.dataIndex }))
  const watch = new ResizeObserver(() => chart.resize())
  watch.observe(box)
  return () => {
    watch.disconnect()
    chart.dispose()
  }
}
