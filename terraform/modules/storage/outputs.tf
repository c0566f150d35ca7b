output "bucket" {
  value = aws_s3_bucket.this.id
}

output "region" {
  value = data.aws_region.here.region
}

output "user" {
  description = "The account of which people make the access key."
  value       = aws_iam_user.server.name
}
