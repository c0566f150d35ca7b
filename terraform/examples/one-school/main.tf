# One school with everything that it needs on its first day.
#
#   export SCHOOL_ENDPOINT=https://school.example.cn SCHOOL_TOKEN=cjm_…
#   terraform init
#   read -rs TF_VAR_administrator_password && export TF_VAR_administrator_password
#   terraform apply

provider "school" {}

variable "administrator_password" {
  description = "With what the administrator signs in the first time."
  type        = string
  ephemeral   = true
  sensitive   = true
}

module "school" {
  source = "../../modules/school"

  code             = "10589"
  name             = "海南示范大学继续教育学院"
  short_name       = "海南示范"
  identity_code    = "4146010589"
  province         = "海南省"
  student_quota    = 20000
  storage_quota_gb = 200

  contact = { name = "王老师", phone = "0898-66279000" }
  brand   = { title = "海南示范大学成人高等教育", color = "#165DFF" }
  website = { copyright = "海南示范大学继续教育学院", icp = "琼ICP备00000001号" }

  administrator                = { login_name = "10589_admin", real_name = "李主任" }
  administrator_password       = var.administrator_password
  administrator_password_given = true

  roles = {
    "站点查询" = {
      data_scope  = "named_sites"
      permissions = ["adult:pc:class:list", "adult:pc:site:list"]
    }
  }
}

# Its calendar: levels first, as majors name them.

resource "school_level" "bachelor" {
  school_code = module.school.code
  code        = "ZSB"
  name        = "专升本"
  entry_level = "associate_to_bachelor"
}

resource "school_grade" "spring" {
  school_code  = module.school.code
  code         = "2027"
  entry_season = "spring"
}

resource "school_site" "main" {
  school_code = module.school.code
  code        = "S01"
  name        = "校本部"
  type        = "headquarter"
}

resource "school_major" "accounting" {
  school_code   = module.school.code
  code          = "KJ"
  name          = "会计学"
  national_code = "120203K"
  level_code    = school_level.bachelor.code
  total_credits = 80
}

output "school" {
  value = { id = module.school.id, ready = module.school.ready }
}
