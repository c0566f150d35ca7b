schools = {
  "10589" = { name = "海南示范大学继续教育学院", province = "海南省", grades = { "2027" = "spring" } }
  "10610" = { name = "四川示范大学继续教育学院", province = "四川省", student_quota = 30000 }
  "11078" = { name = "广州示范大学继续教育学院", province = "广东省", status = "trial", expires_on = "2030-06-30", protected = false }
}
