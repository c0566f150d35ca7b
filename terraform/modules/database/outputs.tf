output "address" {
  value = aws_db_instance.this.address
}

output "port" {
  value = aws_db_instance.this.port
}

output "master" {
  value = aws_db_instance.this.username
}

output "clients" {
  description = "Who may connect: security groups by what they are for."
  value       = { for name, rule in aws_vpc_security_group_ingress_rule.clients : name => rule.referenced_security_group_id }
}

output "security_group_id" {
  value = aws_security_group.this.id
}
