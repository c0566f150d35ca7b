terraform {
  required_version = ">= 1.11"

  required_providers {
    school = {
      source = "local/school/school"
    }
  }
}
