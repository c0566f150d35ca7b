import { Alert, Button } from '@arco-design/web-react'
import { useNavigate } from 'react-router'

interface ChooseFirstProps {
  /** What is to be chosen, and where. */
  text: string
  /** The name of the list, and its address. */
  list: string
  to: string
}

/** Instead of a page of one record whose address names none. */
export const ChooseFirst = ({ text, list, to }: ChooseFirstProps) => {
  const navigate = useNavigate()
  return (
    <Alert
      type="info"
      content={text}
      action={
        <Button size="small" onClick={() => navigate(to)}>
          {list}
        </Button>
      }
    />
  )
}
