# Every kind of resource, data source and ephemeral value once, as the stories of openapi/tests/terraform apply it to a server
# that has the schools demo01 and demo02.

variable "staff" {
  description = "An account of demo01 with one role, which has the same name."
  type        = string
}

variable "secret" {
  description = "The end of every secret here."
  type        = string
  ephemeral   = true
  sensitive   = true
}

variable "secret_version" {
  type    = number
  default = 1
}

variable "protected" {
  type    = bool
  default = true
}

variable "remark" {
  type    = string
  default = "由Terraform管理"
}

resource "school" "this" {
  code                = "10602"
  name                = "每类示范大学"
  short_name          = "每类"
  status              = "trial"
  expires_on          = "2030-12-31"
  student_quota       = 500
  contact             = { name = "王老师", phone = "0898-66279000" }
  brand               = { title = "每类示范大学成人高等教育" }
  remark              = var.remark
  deletion_protection = var.protected

  admin                     = { login_name = "every_first", real_name = "李主任" }
  admin_password_wo         = "Aa1#${var.secret}"
  admin_password_wo_version = 1
}

resource "school_role" "own" {
  scope       = school.this.code
  name        = "站点查询"
  data_scope  = "named_sites"
  permissions = ["adult:pc:class:list", "adult:pc:site:list"]
}

resource "school_role" "template" {
  scope       = "template"
  name        = "教学督导"
  permissions = ["adult:pc:class:list", "adult:pc:grade:list"]
  enabled     = false
}

resource "school_role" "platform" {
  scope       = "platform"
  name        = "院校查询"
  permissions = ["system:pc:sys:school:list", "system:pc:sys:school:view"]
}

resource "school_role" "office" {
  scope       = school.this.code
  name        = "办公室"
  permissions = ["adult:pc:class:list"]
}

resource "school_admin" "second" {
  school_code                 = school.this.code
  login_name                  = "every_second"
  real_name                   = "赵老师"
  phone                       = "13812345678"
  email                       = "zhao@example.edu.cn"
  expires_at                  = "2030-09-01T00:00:00+08:00"
  role_names                  = [school_role.office.name]
  remark                      = var.remark
  initial_password_wo         = "Bb2#${var.secret}"
  initial_password_wo_version = 1
}

resource "school_role_assignment" "staff" {
  school_code = "demo01"
  login_name  = var.staff
  role_names  = [var.staff]
}

resource "school_menu_set" "school" {
  area = "school"
  menus = {
    "/schoolPC/recruitStudents/enrollmentBatch" = { sort = 7, icon = "file" }
  }
}

resource "school_dict_type" "mode" {
  type   = "teaching_mode"
  name   = "教学方式"
  remark = var.remark
}

resource "school_dict_item" "weekend" {
  type    = school_dict_type.mode.type
  value   = "weekend"
  label   = "周末班"
  enabled = false
}

resource "school_param" "attempts" {
  code  = "auth.lockFailures"
  value = "07"
}

resource "school_setting" "header" {
  school_code = school.this.code
  group       = "school_info"
  key         = "printHeader"
  value       = "每类示范大学继续教育学院"
}

resource "school_site" "main" {
  school_code = school.this.code
  code        = "S01"
  name        = "校本部"
  type        = "headquarter"
  phone       = "0898-66279001"
  email       = "site@example.edu.cn"
  address     = "海南省海口市龙昆南路99号"
  capacity    = 300
  status      = "suspended"
}

resource "school_grade" "spring" {
  school_code  = school.this.code
  code         = "2027"
  entry_season = "spring"
  remark       = var.remark
}

resource "school_level" "bachelor" {
  school_code = school.this.code
  code        = "ZSB"
  name        = "专升本"
  entry_level = "associate_to_bachelor"
}

resource "school_term" "spring" {
  school_code = school.this.code
  code        = "2027-1"
  starts_on   = "2027-03-01"
  ends_on     = "2027-07-15"
  holidays    = ["2027-04-05", "2027-05-01"]
}

resource "school_major" "accounting" {
  school_code      = school.this.code
  code             = "KJ"
  name             = "会计学"
  national_code    = "120203K"
  level_code       = school_level.bachelor.code
  total_credits    = 92.5
  tuition_per_year = 240000
  enabled          = false
}

resource "school_website_config" "school" {
  school_code    = school.this.code
  title          = "每类示范大学成人高等教育"
  copyright      = "每类示范大学继续教育学院"
  user_agreement = "第一条 **本协议**"
}

resource "school_storage_config" "archive" {
  name              = "归档"
  service           = "s3"
  endpoint          = "https://s3.example.cn"
  region            = "cn-1"
  bucket            = "archive"
  key_id            = "AKID0001"
  secret_wo         = "storage-${var.secret}"
  secret_wo_version = var.secret_version
}

resource "school_sms_config" "second" {
  name                      = "备用"
  service                   = "aliyun"
  key_id                    = "AKID0002"
  sign_name                 = "每类大学"
  secret_wo                 = "message-${var.secret}"
  secret_wo_version         = 1
  receipt_secret_wo         = "receipt-${var.secret}"
  receipt_secret_wo_version = 1
}

resource "school_video_config" "polyv" {
  name                   = "保利威"
  service                = "polyv"
  user_id                = "u0001"
  write_token_wo         = "write-${var.secret}"
  write_token_wo_version = 1
  read_token_wo          = "read-${var.secret}"
  read_token_wo_version  = 1
  secret_key_wo          = "key-${var.secret}"
  secret_key_wo_version  = 1
}

resource "school_wechat_config" "account" {
  name                  = "公众号"
  app_id                = "wx0123456789abcdef"
  app_secret_wo         = "wechat-${var.secret}"
  app_secret_wo_version = 1
  token_wo              = "token-${var.secret}"
  token_wo_version      = 1
}

resource "school_mail_config" "office" {
  name                = "教务邮箱"
  host                = "smtp.example.edu.cn"
  port                = 465
  security            = "tls"
  user                = "office@example.edu.cn"
  from                = "office@example.edu.cn"
  password_wo         = "mail-${var.secret}"
  password_wo_version = 1
}

# What is only read.

data "school" "this" {
  code = school.this.code
}

data "school_schools" "trial" {
  status     = "trial"
  depends_on = [school.this]
}

data "school_health" "this" {
  code = school.this.code
}

data "school_role" "office" {
  scope = school.this.code
  name  = school_role.office.name
}

data "school_permission_catalogue" "school" {
  area = "school"
}

data "school_menu_tree" "school" {
  area       = "school"
  depends_on = [school_menu_set.school]
}

data "school_dict" "modes" {
  type       = school_dict_item.weekend.type
  depends_on = [school_dict_item.weekend]
}

output "seen" {
  value = {
    name        = data.school.this.name
    schools     = sort([for school in data.school_schools.trial.schools : school.code])
    state       = data.school_health.this.provision_state
    role        = data.school_role.office.enabled
    permissions = length(data.school_permission_catalogue.school.permissions)
    sort        = [for menu in data.school_menu_tree.school.menus : menu.sort if menu.path == "/schoolPC/recruitStudents/enrollmentBatch"]
    # A value that is switched off is not offered.
    modes = length(data.school_dict.modes.items)
  }
}
