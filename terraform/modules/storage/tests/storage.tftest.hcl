mock_provider "aws" {
  mock_data "aws_region" {
    defaults = { region = "cn-northwest-1" }
  }
  mock_data "aws_partition" {
    defaults = { partition = "aws-cn", dns_suffix = "amazonaws.com.cn" }
  }
}

variables {
  bucket  = "chengjiao-files"
  origins = ["https://school.example.cn"]
}

run "it_is_private_and_its_account_reaches_it_alone" {
  command = apply

  assert {
    condition = alltrue([
      aws_s3_bucket_public_access_block.this.block_public_acls,
      aws_s3_bucket_public_access_block.this.block_public_policy,
      aws_s3_bucket_public_access_block.this.ignore_public_acls,
      aws_s3_bucket_public_access_block.this.restrict_public_buckets,
    ])
    error_message = "Nothing of it is public."
  }
  assert {
    condition = alltrue([
      for statement in jsondecode(aws_iam_user_policy.server.policy).Statement :
      alltrue([for resource in statement.Resource : startswith(resource, "arn:aws-cn:s3:::chengjiao-files")])
    ])
    error_message = "The account reaches this bucket, in the partition of China too."
  }
  assert {
    condition     = jsondecode(aws_s3_bucket_policy.this.policy).Statement[0].Condition.Bool["aws:SecureTransport"] == "false"
    error_message = "What comes in the open is refused."
  }
  assert {
    condition     = one([for rule in aws_s3_bucket_server_side_encryption_configuration.this.rule : rule.apply_server_side_encryption_by_default[0].sse_algorithm]) == "AES256"
    error_message = "Without a key of its own it uses the bucket's."
  }
}

run "with_a_key_its_account_may_use_the_key" {
  command = apply

  variables {
    kms_key_id = "arn:aws-cn:kms:cn-northwest-1:1:key/1"
  }

  assert {
    condition     = anytrue([for statement in jsondecode(aws_iam_user_policy.server.policy).Statement : contains(statement.Action, "kms:Decrypt")])
    error_message = "Objects that are sealed with a key are read with it."
  }
}

run "an_origin_for_everybody_is_refused" {
  command = plan

  variables {
    origins = ["*"]
  }

  expect_failures = [var.origins]
}
