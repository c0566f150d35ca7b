existing = {
  "10589" = { name = "海南示范大学继续教育学院", student_quota = 20000, site_title = "海南示范大学成人高等教育" }
  "10610" = { name = "四川示范大学继续教育学院", status = "trial" }
}
