mock_provider "school" {}

run "each_line_of_the_table_is_a_school" {
  command = apply

  assert {
    condition     = keys(output.numbers) == ["10589", "10610", "11078"]
    error_message = "Three schools by their codes."
  }
  assert {
    condition     = school_grade.this["10589/2027"].school_code == "10589" && school_grade.this["10589/2027"].entry_season == "spring"
    error_message = "A grade is in its school."
  }
}
