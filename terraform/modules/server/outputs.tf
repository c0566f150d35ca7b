output "address" {
  description = "What the console's host name is an alias of."
  value       = aws_lb.this.dns_name
}

output "zone_id" {
  value = aws_lb.this.zone_id
}

output "database_options" {
  description = "What the addresses of the database end with: it is encrypted, and to the database alone."
  value       = "sslmode=verify-full&sslrootcert=${local.authorities_file}"
}

output "trusted_proxies" {
  description = "From where somebody may say for whom they speak."
  value       = local.settings.server.trusted_proxies
}

output "bucket" {
  description = "Where the servers keep files."
  value       = local.settings.store.bucket
}

output "security_group_id" {
  description = "Of the servers: the database lets it in."
  value       = aws_security_group.server.id
}
