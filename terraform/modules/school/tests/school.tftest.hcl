mock_provider "school" {}

variables {
  code                   = "10589"
  name                   = "海南示范大学继续教育学院"
  administrator_password = "not-in-the-state"
}

run "a_school_alone_is_protected" {
  command = apply

  assert {
    condition     = school.this.code == "10589" && school.this.deletion_protection
    error_message = "The school is made, and protected."
  }
  assert {
    condition     = length(school_website_config.this) == 0 && length(school_role.this) == 0 && length(school_admin.this) == 0
    error_message = "What is not asked for is not made."
  }
  assert {
    condition     = school.this.admin_password_wo_version == null
    error_message = "No password is sent that nobody gave."
  }
}

run "it_comes_with_site_roles_and_people" {
  command = apply

  variables {
    brand                        = { title = "示范", color = "#165DFF" }
    website                      = { icp = "琼ICP备00000001号" }
    administrator                = { login_name = "10589_admin" }
    administrator_password_given = true
    roles                        = { "站点查询" = { permissions = ["adult:pc:site:list"], data_scope = "named_sites" } }
    people                       = { "zhang_san" = { real_name = "张三", role_names = ["站点查询"] } }
    settings                     = { "school_info/printHeader" = "海南示范大学" }
  }

  assert {
    condition     = school_website_config.this[0].school_code == "10589" && school_website_config.this[0].title == "海南示范大学继续教育学院"
    error_message = "Its site has its name where no title is given."
  }
  assert {
    condition     = school_role.this["站点查询"].scope == "10589" && school_role.this["站点查询"].permissions == toset(["adult:pc:site:list"])
    error_message = "Its role is its own, with exactly these permissions."
  }
  assert {
    condition     = school_admin.this["zhang_san"].role_names == toset(["站点查询"])
    error_message = "Its people have their roles."
  }
  assert {
    condition     = school.this.admin_password_wo_version == 1
    error_message = "The password is sent once."
  }
  assert {
    condition     = school_setting.this["school_info/printHeader"].group == "school_info" && school_setting.this["school_info/printHeader"].key == "printHeader"
    error_message = "A setting is found by its group and key."
  }
}

run "a_code_with_capitals_is_refused" {
  command = plan

  variables {
    code = "HNU"
  }

  expect_failures = [var.code]
}

run "a_setting_without_a_group_is_refused" {
  command = plan

  variables {
    settings = { printHeader = "x" }
  }

  expect_failures = [var.settings]
}
