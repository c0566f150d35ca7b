interface Score {
  attempts: number
  score?: number | null
  /** Of the attempt that the score is of. */
  totalScore?: number | null
  passed?: boolean | null
  waiting: boolean
}

/** What somebody made of an exam, in words: the best of their attempts, or why there is none yet. */
export const scoreWords = (score: Score | undefined) => {
  if (!score) return '未参加'
  const times = score.attempts > 1 ? `，${score.attempts}次` : ''
  if (score.score === null || score.score === undefined) return (score.waiting ? '待批改' : '答题中') + times
  return `${score.score}/${score.totalScore}（${score.passed ? '及格' : '不及格'}${times}）`
}
