import { FileUpload } from '@/kit/FileUpload'

interface PhotoInputProps {
  /** The photo that is there already, and where it can be seen. */
  stored: { key: string; url: string } | undefined
  value?: string | null
  onChange?: (key: string | null) => void
  'aria-label'?: string
}

/** 照片: a private picture. */
export const PhotoInput = ({ stored, ...rest }: PhotoInputProps) => (
  <div className="photo-input">
    {stored && stored.key === rest.value && <img src={stored.url} alt="现有照片" />}
    <FileUpload {...rest} type={3} purpose="identity" accept=".jpg,.jpeg,.png" />
  </div>
)
