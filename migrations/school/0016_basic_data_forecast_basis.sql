-- What a filing is founded on may lie beside it as a paper. Owner: tenant/basic_data.
alter table forecast_major add column basis_file_id bigint;
--;;
alter table forecast_major add constraint forecast_major_basis_of_file
    foreign key (basis_file_id) references file_object (id);
