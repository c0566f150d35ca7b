output "id" {
  description = "The server's number of the school."
  value       = school.this.id
}

output "code" {
  value = school.this.code
}

output "ready" {
  description = "Whether the school is open; false after an apply that was interrupted."
  value       = school.this.ready
}
